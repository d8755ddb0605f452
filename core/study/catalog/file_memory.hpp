// What is remembered of files between runs, so that those that stayed as they were need not be opened to be listed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "catalog/catalog.hpp"
#include "files/digest.hpp"

namespace assay {

/// Asked from several threads at once. Whoever implements it decides by what a file is taken for unchanged.
class FileMemory {
 public:
  virtual ~FileMemory() = default;

  /// As `look(path, name)`, which is called only where the file is not known as it is now.
  virtual FoundFile found(const std::filesystem::path& path, std::string name,
                          FoundFile (*look)(const std::filesystem::path&, std::string)) const = 0;
  /// Digest of all bytes of a file that is known as it is now.
  [[nodiscard]] virtual std::optional<files::Digest> digest(const std::filesystem::path& path) const = 0;
  /// Reads a file that no later stage will read, so that its digest is known from now on.
  virtual void learn(const std::filesystem::path& path) const = 0;
};

}  // namespace assay
