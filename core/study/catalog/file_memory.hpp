// Caches what is known about files between runs, so that unchanged files need not be opened to list them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "catalog/catalog.hpp"
#include "files/digest.hpp"

namespace assay {

/// Thread-safe. The implementation decides when a file counts as unchanged.
class FileMemory {
 public:
  virtual ~FileMemory() = default;

  /// Like `look(path, name)`, which is called only if the present state of the file is unknown.
  virtual FoundFile found(const std::filesystem::path& path, std::string name,
                          FoundFile (*look)(const std::filesystem::path&, std::string)) const = 0;
  /// Like `read(file)`, which is called only if the facts of the present state of the file are unknown.
  virtual RunFacts facts(const FoundFile& file, RunFacts (*read)(const FoundFile&)) const = 0;
  /// Digest of all bytes of a file, if its present state is known.
  [[nodiscard]] virtual std::optional<files::Digest> digest(const std::filesystem::path& path) const = 0;
  /// Reads a file that no later stage reads, so that its digest becomes known.
  virtual void learn(const std::filesystem::path& path) const = 0;
};

}  // namespace assay
