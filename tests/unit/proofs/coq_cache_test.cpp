// What coqc has proved before: an entry counts only if all of it is the same.
#include "cbackend/host/temp_folder.h"
#include "proofs/theorem/coq_cache.h"

#include <doctest/doctest.h>

#include <fstream>

namespace atl::coq_cache_test {

using proofs::coq::Cache;
using proofs::coq::Checked;

TEST_CASE("coq cache: the digest") { // the values of the definition of FNV-1a
  CHECK(proofs::coq::digest("") == "6c62272e07bb014262b821756295c58d");
  CHECK(proofs::coq::digest("a") == "d228cb696f1a8caf78912b704e4a8964");
}

TEST_CASE("coq cache: the same text, library and version") {
  auto folder = cbackend::TempFolder::create(std::filesystem::temp_directory_path());
  REQUIRE(folder);
  auto library = folder->path() / "library", kept = folder->path() / "kept";
  std::filesystem::create_directory(library);
  std::ofstream(library / "A.vo") << "one";
  Cache cache(kept, "8.16.1\n", library);
  CHECK_FALSE(cache.find("text"));
  cache.keep("text", {true, 1.5, "", {"an axiom", "another"}});
  cache.keep("refused", {false, 1, "Error", {}});
  auto found = cache.find("text");
  REQUIRE(found);
  CHECK(found->proved);
  CHECK(found->seconds == 1.5);
  CHECK(found->axioms == std::vector<std::string>{"an axiom", "another"});
  CHECK_FALSE(cache.find("refused"));
  CHECK_FALSE(cache.find("text "));
  CHECK_FALSE(Cache(kept, "8.17.0", library).find("text"));
  CHECK_FALSE(Cache("", "8.16.1", library).find("text"));
  std::ofstream(library / "B.vo") << "two";
  CHECK_FALSE(Cache(kept, "8.16.1\n", library).find("text"));
}

} // namespace atl::coq_cache_test
