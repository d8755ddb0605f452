#include "config/config.hpp"

#include <map>
#include <set>

#include "config/question_file.hpp"
#include "files/program.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

class Reader {
 public:
  std::optional<Error> read(const fs::path& file) {
    std::error_code failed;
    const fs::path same = fs::weakly_canonical(file, failed);
    if (!read_.insert(failed ? file : same).second) return std::nullopt;
    Result<ConfigFile> config = read_config_file(file);
    if (!config) return config.error();
    if (auto* question = std::get_if<Question>(&*config)) return keep(std::move(*question));
    const auto& study = std::get<StudyFile>(*config);
    for (std::size_t i = 0; i < study.configs.size(); ++i) {
      if (!fs::exists(study.configs[i], failed)) {
        return Error{study.pos[i].str() + ": [study] names '" + study.configs[i].string() +
                     "', which does not exist; check the path."};
      }
      const std::size_t before = questions_.size();
      if (auto error = read(study.configs[i])) return error;
      for (std::size_t q = before; q < questions_.size(); ++q) questions_[q].study = study.title;
    }
    return std::nullopt;
  }

  std::vector<Question> take() { return std::move(questions_); }

 private:
  std::optional<Error> keep(Question question) {
    const auto [at, fresh] = file_of_.emplace(question.id, question.file);
    if (!fresh) {
      return Error{SourcePos{question.file.string(), 1, 1}.str() + ": the question id '" + question.id +
                   "' is already that of " + at->second.string() + "; give one of them another id."};
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
  std::vector<Question> questions = reader.take();
  if (questions.empty())
    return Error{"no configuration file was given; name at least one TOML file with a [question]."};
  return questions;
}

Result<Question> installed_question(const std::string& file) {
  const fs::path files[] = {installed_questions() / file};
  Result<std::vector<Question>> questions = read_configs(files);
  if (!questions) return questions.error();
  if (questions->front().analyzers.empty()) return Error{files[0].string() + " names no analyzer; install it again."};
  return std::move(questions->front());
}

}  // namespace assay
