#include "config/config.hpp"

#include <fmt/core.h>

#include <map>
#include <set>

#include "config/question_file.hpp"
#include "files/program.hpp"
#include "files/served.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

class Reader {
 public:
  /// Studies may name studies, in chains of any length: pending files are on a stack, the next one last.
  std::optional<Error> read(const fs::path& first) {
    std::vector<NamedConfig> open{{first, {}, {}}};
    while (!open.empty()) {
      const NamedConfig named = std::move(open.back());
      open.pop_back();
      std::error_code failed;
      if (!named.pos.file.empty() && files::may_read(named.file) && !fs::exists(named.file, failed)) {
        return Error{fmt::format("{}: [study] names '{}', which does not exist", named.pos.str(), named.file.string())}
            .at(named.pos.str())
            .advise("check the path.");
      }
      const fs::path same = fs::weakly_canonical(named.file, failed);
      if (!read_.insert(failed ? named.file : same).second) continue;
      Result<ConfigFile> config = read_config_file(named.file);
      if (!config) return config.error();
      if (auto* question = std::get_if<Question>(&*config)) {
        question->study = named.study;
        if (auto error = keep(std::move(*question))) return error;
        continue;
      }
      const auto& study = std::get<StudyFile>(*config);
      const std::string& title = named.study.empty() ? study.title : named.study;
      for (std::size_t i = study.configs.size(); i-- > 0;) open.push_back({study.configs[i], study.pos[i], title});
    }
    return std::nullopt;
  }

  std::vector<Question> release() { return std::move(questions_); }

 private:
  struct NamedConfig {
    fs::path file;
    SourcePos pos;      ///< where a study names it; without a file: named by the user
    std::string study;  ///< title of the outermost study
  };
  std::optional<Error> keep(Question question) {
    const auto [at, fresh] = file_of_.emplace(question.id, question.file);
    if (!fresh) {
      return Error{fmt::format("{}: the question id '{}' is already that of {}",
                               SourcePos{question.file.string(), 1, 1}.str(), question.id, at->second.string())}
          .at(SourcePos{question.file.string(), 1, 1}.str())
          .advise("give one of them another id.");
    }
    questions_.push_back(std::move(question));
    return std::nullopt;
  }

  std::set<fs::path> read_;
  std::map<std::string, fs::path> file_of_;
  std::vector<Question> questions_;
};

}  // namespace

Result<std::vector<Question>> read_configs(std::span<const fs::path> files) {
  Reader reader;
  for (const fs::path& file : files) {
    if (auto error = reader.read(file)) return *error;
  }
  std::vector<Question> questions = reader.release();
  if (questions.empty())
    return Error{"no configuration file was given"}.advise("name at least one TOML file with a [question].");
  return questions;
}

Result<Question> installed_question(const std::string& file) {
  const fs::path files[] = {installed_questions() / file};
  Result<std::vector<Question>> questions = read_configs(files);
  if (!questions) return questions.error();
  if (questions->front().analyzers.empty())
    return Error{files[0].string() + " names no analyzer"}.advise("install it again.");
  return std::move(questions->front());
}

}  // namespace assay
