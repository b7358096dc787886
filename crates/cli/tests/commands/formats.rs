use serde_json::Value;

use crate::support::{Folder, example};

fn json(arguments: &[&str], code: i32) -> Value {
    let answer = Folder::new().gordian(arguments).exits(code);
    serde_json::from_str(&answer.out).unwrap_or_else(|error| panic!("{error}: {answer:#?}"))
}

#[test]
fn json_of_a_violation_has_the_documented_fields() {
    let file = example("lost_update.c");
    let json = json(&["check", &file, "--format", "json", "--no-random-testing"], 1);
    assert_eq!(json["gordian"], env!("CARGO_PKG_VERSION"));
    assert_eq!(json["format"], 1);
    assert_eq!(json["checker"], "engine order");
    assert_eq!(json["files"][0], *file);
    assert_eq!(json["verdict"], "violated");
    assert_eq!(json["exit_code"], 1);
    let property = &json["properties"][0];
    assert_eq!(property["property"], "assert");
    assert_eq!(property["verdict"], "violated");
    assert_eq!(property["message"], "assertion `counter == 2` fails");
    assert_eq!(property["place"]["line"], 30);
    assert!(property["assumptions"].is_array());
    let trace = &property["trace"];
    assert_eq!(trace["threads"][2]["function"], "increment");
    assert_eq!(trace["threads"][0]["state"], "free");
    assert_eq!(trace["threads"][2]["state"], "exit");
    let steps = trace["steps"].as_array().expect("steps");
    assert!(steps.iter().all(|step| step["thread"].is_u64() && step["place"]["file"] == *file));
    let last = steps.last().expect("a step");
    assert_eq!((&last["event"]["kind"], &last["place"]["line"]), (&Value::from("violated"), &Value::from(30)));
    let writes = steps.iter().filter(|step| step["event"]["kind"] == "write");
    assert_eq!(writes.filter(|step| step["event"]["value"] == "1").count(), 2, "one update is lost");
    assert!(json["statistics"]["wall_seconds"].as_f64().expect("a time") > 0.0);
    assert!(json["statistics"]["counts"]["events"].as_u64().expect("a count") > 0);
    assert!(json["statistics"]["seconds"]["solving time"].is_f64());
    for stage in ["frontend", "unfold", "encode", "solve", "decode", "replay"] {
        assert!(json["statistics"]["stages"][stage].as_f64().expect(stage) > 0.0, "{stage}");
    }
    for size in ["events", "read-from candidates", "terms", "variables", "clauses", "peak memory"] {
        assert!(json["statistics"]["counts"][size].as_u64().expect(size) > 0, "{size}");
    }
}

#[test]
fn json_has_the_figures_of_the_refinement() {
    let file = example("peterson.c");
    let scar =
        json(&["check", &file, "--format", "json", "--engine", "scar", "--no-random-testing", "--unwind", "2"], 0);
    let statistics = &scar["statistics"];
    for figure in ["refinements", "abstraction_clauses", "added_clauses"] {
        assert!(statistics[figure].as_u64().expect(figure) > 0, "{figure}: {statistics:#}");
    }
    assert!(statistics["stages"]["validate"].as_f64().expect("a time") > 0.0);
    let order = json(&["check", &file, "--format", "json", "--no-random-testing", "--unwind", "2"], 0);
    assert_eq!(order["statistics"]["refinements"], 0);
}

#[test]
fn json_of_a_proof_and_of_a_bound() {
    let proof = json(&["check", &example("lost_update_fixed.c"), "--format", "json"], 0);
    assert_eq!((&proof["verdict"], &proof["exit_code"]), (&Value::from("proved"), &Value::from(0)));
    assert_eq!(proof["properties"][1]["property"], "unreach-call");
    assert!(proof["properties"][0].get("trace").is_none());
    let assumptions = proof["properties"][0]["assumptions"].as_array().expect("assumptions");
    assert!(assumptions.contains(&Value::from("memory is sequentially consistent")));

    let folder = Folder::new();
    folder.write("loop.c", "#include <assert.h>\nint main(void) { int i = 0; while (i < 9) i++; assert(i == 9); }\n");
    let answer = folder.gordian(&["check", "loop.c", "--unwind", "2", "--format", "json"]).exits(3);
    let bounded: Value = serde_json::from_str(&answer.out).expect("JSON");
    assert_eq!(bounded["verdict"], "holds");
    assert_eq!(bounded["unreached"][0]["kind"], "assertion");
    assert_eq!(bounded["unreached"][0]["scope"], "within-bounds");
    assert_eq!(bounded["properties"][0]["provenance"]["argument"], "bounded-model-checking");
    let bounds = &bounded["properties"][0]["bounds"];
    assert_eq!((&bounds["unwind"], &bounds["chosen_by_user"]), (&Value::from(2), &Value::from(true)));
    assert_eq!(bounds["cut"][0]["line"], 2);
}

#[test]
fn svcomp_is_one_line_about_one_property() {
    let folder = Folder::new();
    folder.write(
        "task.c",
        "void reach_error(void);\nint __VERIFIER_nondet_int(void);\n\
         int main(void) { int x = __VERIFIER_nondet_int(); if (x == 77) reach_error(); return 0; }\n",
    );
    folder.write("safe.c", "void reach_error(void);\nint main(void) { return 0; }\n");
    let body = "int i = 0; while (i < 9) i++; if (i != 9) reach_error(); return 0;";
    folder.write("loop.c", format!("void reach_error(void);\nint main(void) {{ {body} }}\n"));
    let line = |arguments: &[&str], code: i32| {
        let fixed = ["--format", "svcomp", "--property", "unreach-call"];
        folder.gordian(&[&["check"], arguments, &fixed].concat()).exits(code).out
    };
    assert_eq!(line(&["task.c"], 1), "FALSE(unreach-call)\n");
    assert_eq!(line(&["safe.c"], 0), "TRUE\n");
    assert_eq!(line(&["loop.c"], 0), "TRUE\n");
    assert_eq!(line(&["loop.c", "--unwind", "2"], 0), "UNKNOWN(holds up to 2 iterations of each loop)\n");
    assert_eq!(line(&["missing.c"], 2), "UNKNOWN(the input cannot be read)\n");
}

#[test]
fn svcomp_wants_exactly_one_property_and_a_group_is_one() {
    let folder = Folder::new();
    folder.write("safe.c", "int main(void) { return 0; }\n");
    let svcomp = ["check", "safe.c", "--format", "svcomp"];
    folder.gordian(&svcomp).exits(2).remarks("exactly one property");
    let two = ["--property", "assert", "--property", "unreach-call"];
    folder.gordian(&[&svcomp[..], &two].concat()).exits(2).remarks("exactly one property");
    let group = folder.gordian(&[&svcomp[..], &["--property", "valid-memsafety"]].concat());
    let is_proof = group.out == "TRUE\n";
    assert_eq!(group.out.lines().count(), 1, "{group:#?}");
    assert!(is_proof || group.out.starts_with("UNKNOWN("), "{group:#?}");
    assert_eq!(group.code, Some(if is_proof { 0 } else { 3 }), "{group:#?}");
}

#[test]
fn statistics_come_on_request() {
    let folder = Folder::new();
    let file = example("lost_update_fixed.c");
    folder.gordian(&["check", &file, "--stats"]).exits(0).says("Statistics:").says("solving time");
    assert!(!folder.gordian(&["check", &file]).exits(0).out.contains("Statistics"));
}
