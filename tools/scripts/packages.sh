# What Fuse needs of Debian, and how it gets there. Part of tools/dev, which
# sources this file.
# shellcheck shell=bash

# Debian packages, by what needs them. zlib and zstd are on the link line of the
# static LLVM archives; psutil gives lit its time limit per test.
declare -A packages=(
  [core]="cmake ninja-build ccache g++ python3 python3-psutil lld-22
          libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools
          libzstd-dev zlib1g-dev libgtest-dev librapidcheck-dev
          nlohmann-json3-dev libboost-context-dev"
  [lint]="clang-format-22 clang-tidy-22"
  [cuda]="python3-venv"
  [fuzz]="clang-22 libclang-rt-22-dev"
)

missing_packages() {  # missing_packages GROUP...: one name a line.
  local group installed wanted=()
  for group; do
    # shellcheck disable=SC2206 # A list of words.
    wanted+=(${packages[$group]})
  done
  # It fails if it does not know a package, which then is simply not listed.
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' \
    "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p') || true
  printf '%s\n' "${wanted[@]}" | grep -vxF "$installed" || true
}

apt_get() {  # apt-get as root; waits while another one holds its locks.
  local as_root=() log
  ((EUID == 0)) || as_root=(sudo)
  log=$(mktemp)
  until run "${as_root[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
    apt-get -q -o DPkg::Lock::Timeout=600 "$@" 2>&1 | tee "$log"; do
    if ! grep -q '^E: Could not get lock' "$log" || ((SECONDS > 900)); then
      rm -f "$log"
      return 1
    fi
    say "another apt is at work; trying again in 10 s"
    sleep 10
  done
  rm -f "$log"
}

without_candidate() {  # Those of the named packages that apt cannot install.
  local known
  known=$(LC_ALL=C apt-cache policy "$@" | awk '
    /^[^ ]/ { sub(":$", ""); name = $0 }
    /^  Candidate: / && $2 != "(none)" { print name }')
  printf '%s\n' "$@" | grep -vxF "$known" || true
}

install_missing() {  # install_missing PACKAGE...
  local lost
  if ((EUID != 0)) && ! command -v sudo >/dev/null; then
    die "packages are missing and there is no sudo; as root, run:
  apt-get update && apt-get install --no-install-recommends $*"
  fi
  apt_get update || say "apt-get update failed; going on with what apt knows"
  lost=$(without_candidate "$@" | tr '\n' ' ')
  [[ -z $lost ]] || die "apt knows no package: $lost
  Fuse needs Debian 12 (bookworm) with the suites bookworm and
  bookworm-security, component main; MLIR and LLVM 22 come from the latter.
  Add what is missing to the apt sources and run this again."
  apt_get install -y --no-install-recommends "$@" ||
    die "apt-get could not install: $*"
}

need() {  # need GROUP...: installs what is missing of these groups.
  local missing
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system: install the equivalents of these yourself:"
    say "  $(printf '%s ' "${packages[@]}" | tr -s ' \n' ' ')"
    return
  fi
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]})); then
    timed "install" install_missing "${missing[@]}"
  fi
}
