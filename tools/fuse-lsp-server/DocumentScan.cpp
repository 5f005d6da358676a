//===- DocumentScan.cpp - Documents before they are parsed ----------------===//
//----===//

#include "DocumentScan.h"
#include "fuse/ir/TextScan.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// The dialect of what is refused
//===----------------------------------------------------------------------===//

static ParseResult parseRefused(OpAsmParser &parser, OperationState &) {
  std::string message;
  if (parser.parseString(&message))
    return failure();
  // Not as an error of the op, which is none that anyone wrote.
  return emitError(parser.getEncodedSourceLoc(parser.getNameLoc()), message);
}

std::optional<Dialect::ParseOpHook>
RefusedDialect::getParseOperationHook(StringRef) const {
  return ParseOpHook(parseRefused);
}

/// The server parses what stands between split markers on its own.
static std::optional<TextError> scanDocument(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, kDefaultSplitMarker);
  for (StringRef part : parts)
    if (std::optional<TextError> error = scanText(part)) {
      error->offset += part.begin() - text.begin();
      return error;
    }
  return std::nullopt;
}

static std::string refusedText(StringRef text, const TextError &error) {
  StringRef before = text.take_front(error.offset);
  const size_t line = before.count('\n');
  const size_t column = before.size() - (before.rfind('\n') + 1);
  return std::string(line, '\n') + std::string(column, ' ') +
         "refused.text \"" + error.message + "\"\n";
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// JSON is read by recursion, too.
static bool isNestedDeeply(StringRef json) {
  const unsigned most = TextLimits().maxDepth;
  unsigned depth = 0;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      for (++i; i < json.size() && json[i] != '"'; ++i)
        i += json[i] == '\\';
    } else if (c == '[' || c == '{') {
      if (++depth > most)
        return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

/// True if the object's text was replaced.
static bool replaceText(llvm::json::Object &object) {
  std::optional<StringRef> text = object.getString("text");
  std::optional<TextError> error =
      text ? scanDocument(*text) : std::optional<TextError>();
  if (!error)
    return false;
  object["text"] = refusedText(*text, *error);
  return true;
}

std::optional<std::string> fuse::scanMessage(StringRef body) {
  if (isNestedDeeply(body))
    return std::nullopt;
  llvm::Expected<llvm::json::Value> message = llvm::json::parse(body);
  if (!message) { // which the server says
    llvm::consumeError(message.takeError());
    return body.str();
  }
  llvm::json::Object *object = message->getAsObject();
  auto *params = object ? object->getObject("params") : nullptr;
  bool replaced = false;
  if (auto *document = params ? params->getObject("textDocument") : nullptr)
    replaced |= replaceText(*document);
  if (auto *changes = params ? params->getArray("contentChanges") : nullptr)
    for (llvm::json::Value &change : *changes)
      if (llvm::json::Object *changed = change.getAsObject())
        replaced |= replaceText(*changed);
  return replaced ? llvm::formatv("{0}", *message).str() : body.str();
}
