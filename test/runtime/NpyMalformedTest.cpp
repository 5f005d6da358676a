//===- NpyMalformedTest.cpp - each defect of a file and its message -------===//

#include "TestUtils.h"

#include "fuse/runtime/Npy.h"

using namespace fuse::rt;

namespace {
struct Malformed {
  std::string file;
  std::string message; ///< After "x.npy: ".
};
} // namespace

/// What stands before a header of `length` bytes.
static std::string start(int version, size_t length) {
  std::string file = "\x93NUMPY";
  file += {char(version), '\0'};
  for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte)
    file += char(length >> (8 * byte));
  return file;
}

/// A version 1 file with this header and this many bytes of data.
static std::string npy(const std::string &header, size_t dataBytes = 0) {
  return start(1, header.size()) + header + std::string(dataBytes, '\0');
}

/// As above; the entries of the header but `shape` are in order.
static std::string shaped(const std::string &shape, size_t dataBytes = 0,
                          const std::string &descr = "'<f4'") {
  return npy("{'descr': " + descr +
                 ", 'fortran_order': False, 'shape': " + shape + ", }\n",
             dataBytes);
}

static void check(const std::vector<Malformed> &cases) {
  for (const Malformed &bad : cases) {
    Result<HostTensor> tensor =
        readNpyBuffer(bad.file.data(), bad.file.size(), "x.npy");
    EXPECT_EQ(messageOf(tensor), "x.npy: " + bad.message) << bad.file;
    EXPECT_EQ(tensor.status().code(), StatusCode::InvalidInput) << bad.file;
  }
}

TEST(NpyMalformed, TheHelpersMakeValidFiles) {
  std::string file = shaped("(2, 3)", 24);
  EXPECT_EQ(messageOf(readNpyBuffer(file.data(), file.size(), "x.npy")), "");
}

TEST(NpyMalformed, BeforeTheHeader) {
  std::string tooLong = start(2, 0x10000) + std::string(70000, ' ');
  check({
      {"", "expects a .npy file of at least 10 bytes, but got 0"},
      {"\x93NUMPY\1", "expects a .npy file of at least 10 bytes, but got 7"},
      {"PK\3\4........",
       "expects a .npy file that starts with '\\x93NUMPY', but got "
       "'PK\\x03\\x04..'"},
      {start(0, 8) + "........",
       "expects .npy version 1.0, 2.0 or 3.0, but got 0.0"},
      {start(4, 8) + "........",
       "expects .npy version 1.0, 2.0 or 3.0, but got 4.0"},
      {"\x93NUMPY\1\1......",
       "expects .npy version 1.0, 2.0 or 3.0, but got 1.1"},
      {start(2, 8).substr(0, 11),
       "expects a header length of 4 bytes, but got 3 before the end of the "
       "file"},
      {start(1, 118) + "{",
       "expects a header of 118 bytes, but got 1 before the end of the file"},
      {start(3, 65535),
       "expects a header of 65535 bytes, but got 0 before the end of the file"},
      {start(2, 0xffffffff) + "{}",
       "expects a header of 65535 bytes at most, but got 4294967295"},
      {tooLong, "expects a header of 65535 bytes at most, but got 65536"},
  });
}

TEST(NpyMalformed, Dictionary) {
  check({
      {npy(""), "expects a dictionary as header, but got its end"},
      {npy("   \n"), "expects a dictionary as header, but got its end"},
      {npy("[1, 2]"), "expects a dictionary as header, but got '[1, 2]'"},
      {npy("\xff\xfe{}"),
       "expects a dictionary as header, but got '\\xff\\xfe{}'"},
      {npy("{"), "expects a string in the header, but got its end"},
      {npy("{1: 2}"), "expects a string in the header, but got '1: 2}'"},
      {npy("{'descr"),
       "expects a closing quote in the header, but got its end"},
      {npy("{\"descr': '<f4'}"),
       "expects a closing quote in the header, but got its end"},
      {npy("{'descr' '<f4'}"),
       "expects ':' after 'descr' in the header, but got ''<f4'}'"},
      {npy("{'descr': '<f4' 'shape': ()}"),
       "expects ',' or '}' in the header, but got ''shape': ()}'"},
      {npy("{'descr': '<f4'"),
       "expects ',' or '}' in the header, but got its end"},
      {npy("{'descr': '<f4',, }"),
       "expects a string in the header, but got ', }'"},
      {npy("{'descr': '<f4', 'shape': (), 'fortran_order': False} x"),
       "expects only blanks after the dictionary in the header, but got 'x'"},
      {npy("{'descr': '<f4', 'shape': (), 'fortran_order': False}" +
           std::string(1, '\0')),
       "expects only blanks after the dictionary in the header, but got "
       "'\\x00'"},
  });
}

TEST(NpyMalformed, Keys) {
  check({
      {npy("{}"), "expects 'descr', 'fortran_order' and 'shape' in the header, "
                  "but got no 'descr'"},
      {npy("{'descr': '<f4', 'shape': ()}"),
       "expects 'descr', 'fortran_order' and 'shape' in the header, but got no "
       "'fortran_order'"},
      {npy("{'descr': '<f4', 'fortran_order': True}"),
       "expects 'descr', 'fortran_order' and 'shape' in the header, but got no "
       "'shape'"},
      {npy("{'descr': '<f4', 'shape': (), 'descr': '<f8'}"),
       "expects 'descr' once in the header, but got it twice"},
      {npy("{'shape': (), 'shape': ()}"),
       "expects 'shape' once in the header, but got it twice"},
      {npy("{'Shape': ()}"),
       "expects 'descr', 'fortran_order' and 'shape' in the header, but got "
       "unknown key 'Shape'"},
      {npy("{'" + std::string(100, 'k') + "': ()}"),
       "expects 'descr', 'fortran_order' and 'shape' in the header, but got "
       "unknown key '" +
           std::string(40, 'k') + "...'"},
  });
}

TEST(NpyMalformed, ElementType) {
  const std::string expects =
      "expects element type f16 '<f2', bf16 '<V2', f32 '<f4', f64 '<f8', i32 "
      "'<i4' or bool '|b1', but got ";
  for (const char *descr :
       {"<i8", "<i2", "|i1", "|u1", "<u4", "<c8", "<f16", "|O", "<U3", "|S1",
        "|V1", "|V4", "<M8[ns]", "", "<", "float32", "<<f4", "<f", "4"})
    check({{shaped("(1,)", 8, "'" + std::string(descr) + "'"),
            expects + "'" + descr + "'"}});
  check({
      {shaped("(1,)", 4, "[('a', '<f4')]"),
       "expects a plain element type as 'descr', but got a structured type "
       "'[('a', '<f4')], 'fortran_order': False, ...'"},
      {shaped("(1,)", 4, "4"),
       "expects a string in the header, but got '4, 'fortran_order': False, "
       "'shape': (1,)...'"},
  });
}

TEST(NpyMalformed, FortranOrder) {
  for (const char *value : {"true", "1", "'False'", "None"})
    check({{npy("{'fortran_order': " + std::string(value) + "}"),
            "expects True or False as 'fortran_order', but got '" +
                std::string(value) + "}'"}});
  check({{npy("{'fortran_order': Truest}"),
          "expects ',' or '}' in the header, but got 'st}'"}});
}

TEST(NpyMalformed, Shape) {
  check({
      {shaped("3", 12), "expects a tuple as 'shape', but got '3, }\\x0a'"},
      {shaped("[3]", 12), "expects a tuple as 'shape', but got '[3], }\\x0a'"},
      {shaped("(3)", 12),
       "expects ',' after a size in 'shape', but got '), }\\x0a'"},
      {shaped("(3 4)", 48),
       "expects ',' after a size in 'shape', but got '4), }\\x0a'"},
      {shaped("(3.0,)", 12),
       "expects ',' after a size in 'shape', but got '.0,), }\\x0a'"},
      {shaped("(,)"), "expects a size in 'shape', but got ',), }\\x0a'"},
      {shaped("(None,)"),
       "expects a size in 'shape', but got 'None,), }\\x0a'"},
      {npy("{'shape': (3,"), "expects a size in 'shape', but got its end"},
      {shaped("(3, -1)"),
       "expects sizes of 0 or more in 'shape', but got '-1'"},
      {shaped("(-0,)"), "expects sizes of 0 or more in 'shape', but got '-0'"},
      {shaped("(9223372036854775808,)"),
       "expects sizes of less than 2^63 in 'shape', but got "
       "'9223372036854775808'"},
      {shaped("(1, 1, 1, 1, 1, 1, 1, 1, 1)", 4),
       "expects a 'shape' of rank 8 at most, but got more sizes"},
      {shaped("(9223372036854775807,)"),
       "expects a tensor of less than 2^63 bytes, but got "
       "9223372036854775807xf32"},
      {shaped("(4294967296, 4294967296)"),
       "expects a tensor of less than 2^63 bytes, but got "
       "4294967296x4294967296xf32"},
      {shaped("(0, 4294967296, 4294967296)"),
       "expects a tensor of less than 2^63 bytes, but got "
       "0x4294967296x4294967296xf32"},
  });
}

TEST(NpyMalformed, Data) {
  check({
      {shaped("(2, 3)", 23),
       "expects 24 bytes of data for 2x3xf32, but got 23"},
      {shaped("(2, 3)", 25),
       "expects 24 bytes of data for 2x3xf32, but got 25"},
      {shaped("()", 0), "expects 4 bytes of data for f32, but got 0"},
      {shaped("(0,)", 1), "expects 0 bytes of data for 0xf32, but got 1"},
      // Would not fit in memory: found out before it is asked for.
      {shaped("(1000000000, 1000000000)", 16),
       "expects 4000000000000000000 bytes of data for "
       "1000000000x1000000000xf32, but got 16"},
      {shaped("(3,)", 0, "'|b1'") + std::string("\1\0\2", 3),
       "expects bytes of 0 or 1 for bool, but got 2 at element 2"},
      {shaped("(1,)", 0, "'|b1'") + "\xff",
       "expects bytes of 0 or 1 for bool, but got 255 at element 0"},
  });
}
