#include "cli/run_options.hpp"

#include "cache/store.hpp"

namespace assay {

void add_cache(CLI::App& command, RunOptions& to) {
  to.cache = cache::default_folder();
  CLI::Option* folder = add_option(command, "--cache", to.cache,
                                   "Cache folder: unchanged profiles are not analyzed again (default: "
                                   "$XDG_CACHE_HOME/assay or ~/.cache/assay)")
                            ->type_name("DIR")
                            ->check([](const std::string& name) {
                              return name.empty() ? "names no folder; use --no-cache to run without a cache" : "";
                            });
  add_option(command, "--cache-size", to.cache_bytes, "Maximum cache size, e.g. 500MiB (default: 1GiB)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(true));
  CLI::Option* trust = add_flag(command, "--trust-mtime", to.trust_times,
                                "Skip hashing profiles whose size, timestamps and inode are unchanged");
  const auto leave_out = [&to] { to.cache.reset(); };
  add_flag_callback(command, "--no-cache", leave_out, "Bypass the cache")->excludes(folder)->excludes(trust);
}

void add_isolation(CLI::App& command, RunOptions& to) {
  CLI::Option* isolate = add_flag(command, "--isolate", to.isolate,
                                  "Run each analyzer on each profile in its own process, so that a crash, hang or "
                                  "out-of-memory affects only that analyzer");
  add_limits(command, "--plugin-time-limit", "--plugin-memory-limit", to.plugin_limits,
             "one analyzer on one profile, or for its conclusions, with --isolate", isolate);
  add_sql_limits(command, "--sql-timeout", "--sql-memory", to.sql_limits, "the SQL of a [[metric]] on one profile");
}

std::vector<CLI::Option*> add_ending(CLI::App& command, CommandLine& line, RunOptions& to) {
  std::vector<CLI::Option*> concluding =
      add_ci(command, to.ci, "Exit with 1 if a claim is refuted, with 4 if none is decided");
  concluding.push_back(add_flag(command, "--strict", to.strict,
                                "Exit with 3 if a profile was not read or lacks needed tables, or an analyzer failed"));
  add_plugin_path(command, to.plugin_paths);
  add_trust_plugins(command, to.trust_plugins);
  CLI::Option* verbose =
      add_verbose(command, line, "Print more detail per question, and log more to standard error; -vv: everything");
  add_force(command, to.force);
  add_flag(command, "-q,--quiet", line.quiet, "Print errors only")->excludes(verbose);
  add_option(command, "--log-file", line.log_file, "Write the whole log to this file")->type_name("FILE");
  return concluding;
}

void add_run_choice(CLI::App& command, RunChoice& to) {
  const auto add = [&](const char* name, std::vector<std::string>& fields, const char* help) {
    add_option(command, name, fields, help)->type_name("FIELD")->allow_extra_args(false);
  };
  add("--label", to.labels,
      "This field of the names distinguishes configurations, e.g. prof of prof_1; may be repeated");
  add("--repeats", to.repeats, "This field of the names counts repeats, e.g. numa_{n}; may be repeated");
  add_option(command, "--by", to.by, "Compare by this field; 'role' compares the parts of a run")->type_name("FIELD");
}

void read_common_options(const CommandLine& line, RunOptions& to) {
  to.command = line.words;
  to.quiet = line.quiet;
  to.whole = line.verbose > 0;
}

}  // namespace assay
