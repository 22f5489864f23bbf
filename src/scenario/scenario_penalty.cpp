// contact.model = "feedback_linearized" and "spring_damper": what a scenario says of them.
#include "scenario/scenario_parts.hpp"

namespace footfall {
namespace {

const std::vector<std::string> kFeedbackKeys = {"k_p_per_s2", "k_v_per_s", "epsilon_m", "rounds"};
const std::vector<std::string> kSpringKeys = {"stiffness_N_per_m", "damping_Ns_per_m",
                                              "tangential_damping_Ns_per_m", "guard"};
const std::vector<std::string> kPenaltyKeys = {"clipping", "friction_coefficient"};

void read_feedback(const TableReader& reader, PenaltyModel& m) {
  reader.read("k_p_per_s2", m.k_p, {0, 1e12, "0 to 1e12 1/s²"});
  reader.read("k_v_per_s", m.k_v, {0, 1e9, "0 to 1e9 1/s"});
  reader.read("epsilon_m", m.epsilon, {-0.1, 0, "-0.1 to 0 m: a wanted height, negative inside"});
  reader.read("rounds", m.rounds, {1, 1e6, "1 or more"});
}

void read_springs(const TableReader& reader, PenaltyModel& m) {
  const Range damping{0, 1e12, "0 to 1e12 N s/m"};
  m.kind = PenaltyKind::spring_damper;
  m.stiffness = reader.number("stiffness_N_per_m", {0, 1e12, "0 to 1e12 N/m"});
  m.damping = reader.number("damping_Ns_per_m", damping);
  m.tangential_damping = reader.number_or("tangential_damping_Ns_per_m", m.damping, damping);
  reader.read("guard", m.guard);
}

}  // namespace

bool is_penalty(ContactModel contact) {
  return contact == ContactModel::feedback_linearized || contact == ContactModel::spring_damper;
}

std::vector<std::string> penalty_contact_keys() {
  std::vector<std::string> keys = kFeedbackKeys;
  keys.insert(keys.end(), kSpringKeys.begin(), kSpringKeys.end());
  keys.insert(keys.end(), kPenaltyKeys.begin(), kPenaltyKeys.end());
  return keys;
}

PenaltyChoice read_penalty_contact(const TableReader& reader, ContactModel contact) {
  PenaltyChoice out;
  if (contact != ContactModel::feedback_linearized) {
    reader.refuse_given(kFeedbackKeys, "none unless contact.model = \"feedback_linearized\"");
  }
  if (contact != ContactModel::spring_damper) {
    reader.refuse_given(kSpringKeys, "none unless contact.model = \"spring_damper\"");
  }
  if (!is_penalty(contact)) {
    reader.refuse_given(kPenaltyKeys,
                        "none unless contact.model = \"feedback_linearized\" or \"spring_damper\"");
    return out;
  }
  if (contact == ContactModel::feedback_linearized) read_feedback(reader, out.model);
  if (contact == ContactModel::spring_damper) read_springs(reader, out.model);
  reader.read_choice("clipping", out.model.clipping, {"radial", "per_axis"});
  reader.read("friction_coefficient", out.friction_coefficient, {0, 10, "0 to 10"});
  return out;
}

}  // namespace footfall
