// The grammar of edits: what each form means, how it is printed, and what is answered to a text that is none.
#include <doctest/doctest.h>

#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/edit.h"
#include "support/problems.h"

namespace {

using namespace attn;
using core::Array;
using core::Edit;
using core::EditKind;
using core::Index;

Edit parsed(const std::string& text) {
  const core::Result<Edit> edit = core::parseEdit(text);
  REQUIRE_MESSAGE(edit.ok(), (edit ? "" : edit.error().message));
  return edit.value();
}

using Where = std::optional<Index>;
constexpr std::nullopt_t kAll = std::nullopt;

Edit set(Array array, Where head, Where row, Where col, std::vector<double> values) {
  Edit edit;
  edit.array = array, edit.head = head, edit.row = row, edit.col = col, edit.values = std::move(values);
  return edit;
}

Edit one(EditKind kind, Where head = kAll, Where row = kAll, Where col = kAll) {
  Edit edit;
  edit.kind = kind, edit.head = head, edit.row = row, edit.col = col;
  return edit;
}

template <class Value>
Edit with(Edit edit, Value Edit::* field, const Value& value) {
  edit.*field = value;
  return edit;
}

Edit rule(EditKind kind, double value) { return with(one(kind), &Edit::values, {value}); }

struct Form {
  std::string text;
  Edit edit;
  std::string printed;  // "" where it is the text
};

}  // namespace

TEST_CASE("a row or a cell of every array that can be set is read") {
  const std::pair<const char*, Array> kNames[] = {
      {"x", Array::kX}, {"x_sources", Array::kXSources}, {"wq", Array::kWq}, {"wk", Array::kWk}, {"wv", Array::kWv},
      {"wo", Array::kWo}, {"q", Array::kQ}, {"k", Array::kK}, {"v", Array::kV}, {"scores", Array::kScores},
      {"weights", Array::kWeights}, {"bias", Array::kBias}};
  for (const auto& each : kNames) {
    const std::string text = each.first;
    const Array array = each.second;
    CAPTURE(text);
    CHECK(parsed(text + "[3]=1,2") == set(array, kAll, 3, kAll, {1, 2}));
    CHECK(parsed(text + "[0][12]=-1") == set(array, kAll, 0, 12, {-1}));
    const bool per_head = array != Array::kX && array != Array::kXSources && array != Array::kWo;
    const core::Result<Edit> head = core::parseEdit("h7." + text + "[3]=1");
    CHECK(head.ok() == per_head);
    if (per_head) CHECK(head.value() == set(array, 7, 3, kAll, {1}));
    else CHECK(head.error().message.find("is not per head; leave out “h7.”.") != std::string::npos);
  }
}

TEST_CASE("every form means what it says and is printed in its shortest form") {
  const Edit seeded = with(one(EditKind::kPermute, 1, 2), &Edit::seed, std::uint64_t(7));
  const std::vector<std::pair<Index, double>> slopes = {{0, 0.5}, {3, -0.25}};
  const Form kForms[] = {
      {"v[1]=0,0", set(Array::kV, kAll, 1, kAll, {0, 0}), ""},
      {"h1.scores[2][0]=ln(2)", set(Array::kScores, 1, 2, 0, {std::log(2.0)}), "h1.scores[2][0]=0.6931471805599453"},
      {" x[0] = 1", set(Array::kX, kAll, 0, kAll, {1}), "x[0]=1"},
      {"x[ 0 ]= 1/4 , -2*sqrt(4) ", set(Array::kX, kAll, 0, kAll, {0.25, -4}), "x[0]=0.25,-4"},
      {"forbid=2,1", one(EditKind::kForbid, kAll, 2, 1), ""},
      {"forbid=0,*", one(EditKind::kForbid, kAll, 0), ""},
      {"forbid=*,*", one(EditKind::kForbid), ""},
      {"allow= * , 3", one(EditKind::kAllow, kAll, kAll, 3), "allow=*,3"},
      {"zero-weight=*,0", one(EditKind::kZeroWeight, kAll, kAll, 0), ""},
      {"uniform=h1,2", one(EditKind::kUniform, 1, 2), ""},
      {"permute=h1,2,7", seeded, ""},
      {"ablate=h0", one(EditKind::kAblate, 0), ""},
      {"mean-ablate=h12", one(EditKind::kMeanAblate, 12), ""},
      {"scale=1/2", rule(EditKind::kScale, 0.5), "scale=0.5"},
      {"scale=-3", rule(EditKind::kScale, -3), ""},
      {"temperature=2", rule(EditKind::kTemperature, 2), ""},
      {"softcap=1e-3", rule(EditKind::kSoftcap, 1e-3), "softcap=0.001"},
      {"sink=−1", rule(EditKind::kSink, -1), "sink=-1"},
      {"alibi=h0:1/2,h3:-0.25", with(one(EditKind::kAlibi), &Edit::slopes, slopes), "alibi=h0:0.5,h3:-0.25"},
      {"mask=causal", with(one(EditKind::kMask), &Edit::causal, true), ""},
      {"mask= none", one(EditKind::kMask), "mask=none"},
      {"token[2]=be", with(one(EditKind::kToken, kAll, 2), &Edit::text, std::string("be")), ""},
      {"insert=0,to", with(one(EditKind::kInsert, kAll, 0), &Edit::text, std::string("to")), ""},
      {"delete=3", one(EditKind::kDelete, kAll, 3), ""},
      {"move=3,1", with(one(EditKind::kMove, kAll, 3), &Edit::count, Index(1)), ""},
      {"add-head=h1", one(EditKind::kAddHead, 1), ""},
      {"remove-head=h0", one(EditKind::kRemoveHead, 0), ""},
      {"d_k=3", with(one(EditKind::kKeyWidth), &Edit::count, Index(3)), ""},
      {"d_v=1", with(one(EditKind::kValueWidth), &Edit::count, Index(1)), ""},
  };
  for (const Form& form : kForms) {
    CAPTURE(form.text);
    CHECK(parsed(form.text) == form.edit);
    CHECK(core::editText(form.edit) == (form.printed.empty() ? form.text : form.printed));
  }
}

TEST_CASE("the text of a token is everything behind the = or the comma, blanks and marks included") {
  for (const std::string text :
       {"", " ", " the", "a=b", "a,b", "=", "]", ";", "\\", "\"", "\n", "\xF0", "h1.v[0]=1", "*"}) {
    CAPTURE(text);
    CHECK(parsed("token[0]=" + text).text == text);
    CHECK(parsed("insert=12," + text).text == text);
    CHECK(core::editText(parsed("token[0]=" + text)) == "token[0]=" + text);
  }
}

namespace {

struct Refused {
  const char* text;
  const char* sentence;  // a part of it
};

}  // namespace

TEST_CASE("a text that is no edit is quoted and answered in one sentence") {
  const std::string forms = "is no edit; the forms are NAME[i]=a,b and NAME[i][j]=a with NAME one of x, ";
  const Refused kCases[] = {
      {"", "An edit is empty; write one such as v[1]=0,0 or forbid=2,1."},
      {"   ", "An edit is empty"},
      {"forbid", "“forbid” has no “=”; write an edit such as"},
      {"v[1]", "“v[1]” has no “=”"},
      {"=1", "is no edit"},
      {"z[0]=1", "“z[0]=1” is no edit; the forms are"},
      {"scaled[0]=1", "is no edit"},
      {"V[0]=1", "is no edit"},
      {"hx.v[0]=1", "is no edit"},
      {"1.v[0]=1", "is no edit"},
      {"h1.token[0]=a", "is no edit"},
      {"h1.forbid=1,2", "is no edit"},
      {"v[1].h0=1", "is no edit"},
      {"v=1", "does not say which row; write v[i], with i counted from 0."},
      {"v[]=1", "does not say which row"},
      {"v[-1]=1", "does not say which row"},
      {"v[1.5]=1", "is no edit"},
      {"v[*]=1", "does not say which row"},
      {"v[1000000000]=1", "does not say which row"},
      {"v[1]x=1", "is not written NAME[i]=a,b,… or NAME[i][j]=a."},
      {"v[1][x]=1", "is not written NAME[i]=a,b,… or NAME[i][j]=a."},
      {"v[1][2][3]=1", "is not written NAME[i]"},
      {"v[1]=", "holds an empty number; write a decimal, p/q, sqrt(n), ln(n) or a product of these."},
      {"v[1]=1,,2", "holds an empty number"},
      {"v[1]=1,", "holds an empty number"},
      {"v[1]=a", "holds “a”, which is no finite number"},
      {"v[1]=1;2", "holds “1;2”, which is no finite number"},
      {"v[1]=inf", "holds “inf”, which is no finite number"},
      {"v[1]=nan", "no finite number"},
      {"v[1]=1e999", "no finite number"},
      {"v[1]=1/0", "no finite number"},
      {"v[1]=1/1e999", "no finite number"},
      {"v[1]=sqrt(-1)", "no finite number"},
      {"v[1][0]=1,2", "gives 2 numbers to one cell; write one."},
      {"forbid=1", "is not written forbid=i,j."},
      {"forbid=1,2,3", "is not written forbid=i,j."},
      {"forbid=-1,2", "is not written forbid=i,j."},
      {"allow=,", "is not written allow=i,j."},
      {"zero-weight=h0,1", "is not written zero-weight=i,j."},
      {"uniform=0,1", "is not written uniform=h0,i."},
      {"uniform=h0", "is not written uniform=h0,i."},
      {"uniform=h0,*", "is not written uniform=h0,i."},
      {"permute=h0,1", "is not written permute=h0,i,seed."},
      {"permute=h0,1,x", "is not written permute=h0,i,seed."},
      {"ablate=", "is not written ablate=h0."},
      {"ablate=0", "is not written ablate=h0."},
      {"ablate=h", "is not written ablate=h0."},
      {"ablate=h0,h1", "is not written ablate=h0."},
      {"mean-ablate=all", "is not written mean-ablate=h0."},
      {"scale=", "holds an empty number"},
      {"scale=1,2", "gives more than one number; write scale=a."},
      {"temperature=0", "needs a number above 0."},
      {"softcap=-1", "needs a number above 0."},
      {"sink=-inf", "no finite number"},
      {"alibi=1", "is not written alibi=h0:s,h1:s."},
      {"alibi=h0:", "holds an empty number"},
      {"alibi=h0:1,h0:2", "names head 0 twice; name it once."},
      {"mask=window", "is not written mask=none or mask=causal."},
      {"token=a", "does not say which row; write token[i]"},
      {"token[0][1]=a", "has something behind the position; write token[i]=text."},
      {"insert=0", "is not written insert=i,text."},
      {"insert=x,a", "is not written insert=i,text."},
      {"delete=", "is not written delete=i."},
      {"delete=1,2", "is not written delete=i."},
      {"move=1", "is not written move=i,j."},
      {"move=1,2,3", "is not written move=i,j."},
      {"add-head=1", "is not written add-head=h0."},
      {"remove-head=h0,1", "is not written remove-head=h0."},
      {"d_k=h1", "is not written d_k=n."},
      {"d_v=1,2", "is not written d_v=n."},
  };
  for (const Refused& refused : kCases) {
    const core::Result<Edit> edit = core::parseEdit(refused.text);
    REQUIRE_MESSAGE(!edit.ok(), refused.text);
    const std::string& got = edit.error().message;
    CHECK_MESSAGE(got.find(refused.sentence) != std::string::npos, std::string(refused.text), " → ", got);
    CHECK_MESSAGE(got.back() == '.', got);
  }
  CHECK(core::parseEdit("nothing=1").error().message.find(forms) != std::string::npos);
}

TEST_CASE("a long text is cut where it is quoted, between two characters") {
  const std::string message =
      core::parseEdit("token" + std::string(54, 'a') + "éé" + std::string(100000, 'b')).error().message;
  CHECK(message.find("“token" + std::string(54, 'a') + "…” has no “=”") == 0);
  CHECK(message.size() < 200);
}

TEST_CASE("every edit that is printed is read back as the same") {
  test::Random random(5);
  const auto number = [&] {
    return random.below(3) ? random.normal() * std::pow(10, random.below(40) - 20) : random.normal() * 0;
  };
  const auto orAll = [&]() -> Where { return random.below(3) ? Where(random.below(1000000000)) : kAll; };
  const Array kArrays[] = {Array::kX, Array::kXSources, Array::kWo, Array::kWq, Array::kWk, Array::kWv,
                           Array::kQ, Array::kK, Array::kV, Array::kScores, Array::kWeights, Array::kBias};
  for (int n = 0; n < 5000; ++n) {
    Edit edit = one(static_cast<EditKind>(random.below(static_cast<Index>(EditKind::kValueWidth) + 1)));
    const Index at = random.below(1000000000);
    switch (edit.kind) {
      case EditKind::kSet: {
        const Index array = random.below(std::size(kArrays));
        edit = set(kArrays[array], array > 2 ? orAll() : kAll, at, orAll(), {number()});
        for (Index more = edit.col ? 0 : random.below(5); more > 0; --more) edit.values.push_back(number());
        break;
      }
      case EditKind::kForbid:
      case EditKind::kAllow:
      case EditKind::kZeroWeight: edit.row = orAll(), edit.col = orAll(); break;
      case EditKind::kUniform: edit.head = at, edit.row = random.below(9); break;
      case EditKind::kPermute:
        edit.head = at, edit.row = random.below(9), edit.seed = static_cast<std::uint64_t>(at);
        break;
      case EditKind::kAblate:
      case EditKind::kMeanAblate:
      case EditKind::kAddHead:
      case EditKind::kRemoveHead: edit.head = at; break;
      case EditKind::kScale: case EditKind::kSink: edit.values = {number()}; break;
      case EditKind::kTemperature: case EditKind::kSoftcap: edit.values = {std::abs(number()) + 1e-30}; break;
      case EditKind::kAlibi:
        for (Index head = 0; head <= at % 4; ++head) edit.slopes.emplace_back(head * 3, number());
        break;
      case EditKind::kMask: edit.causal = at % 2 == 0; break;
      case EditKind::kToken: case EditKind::kInsert:
        edit.row = at;
        for (Index length = random.below(6); length > 0; --length) edit.text += static_cast<char>(random.below(256));
        break;
      case EditKind::kDelete: edit.row = at; break;
      case EditKind::kMove: edit.row = at, edit.count = random.below(9); break;
      case EditKind::kKeyWidth: case EditKind::kValueWidth: edit.count = at; break;
    }
    const std::string text = core::editText(edit);
    CAPTURE(text);
    REQUIRE(parsed(text) == edit);
  }
}
