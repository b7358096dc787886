//! What the SARIF 2.1.0 standard (sections 3.13 to 3.58) demands of the parts that we use, written down as checks: required
//! members, types, allowed words, minima, indices that point somewhere, and no member that the standard does not know.

use serde_json::Value;

/// Everything that is wrong, each with the path where it is.
pub fn check(log: &Value) -> Vec<String> {
    let mut checker = Checker { problems: Vec::new() };
    checker.log(log);
    checker.problems
}

struct Checker {
    problems: Vec<String>,
}

/// What a member must be.
enum SchemaKind {
    Text,
    Boolean,
    /// An integer not less than this.
    Integer(i64),
    Word(&'static [&'static str]),
    Object(fn(&mut Checker, &str, &Value)),
    Array(fn(&mut Checker, &str, &Value)),
    Anything,
}

use SchemaKind::{Anything, Array, Boolean, Integer, Object, Text, Word};

const LEVELS: SchemaKind = Word(&["none", "note", "warning", "error"]);

impl Checker {
    fn log(&mut self, log: &Value) {
        let members = [("version", Word(&["2.1.0"])), ("runs", Array(Self::run)), ("$schema", Text)];
        self.object("", log, &["version", "runs"], &members);
    }

    fn run(&mut self, path: &str, run: &Value) {
        let members = [
            ("tool", Object(Self::tool)),
            ("invocations", Array(Self::invocation)),
            ("artifacts", Array(Self::artifact)),
            ("results", Array(Self::result)),
            ("columnKind", Word(&["utf16CodeUnits", "unicodeCodePoints"])),
            ("properties", Anything),
        ];
        self.object(path, run, &["tool"], &members);
        let rules = run["tool"]["driver"]["rules"].as_array().map_or(&[][..], |rules| rules);
        for (index, result) in run["results"].as_array().into_iter().flatten().enumerate() {
            let rule = result["ruleIndex"].as_u64().and_then(|index| rules.get(index as usize));
            if rule.is_none_or(|rule| rule["id"] != result["ruleId"]) {
                self.problems.push(format!("{path}/results/{index}: its rule is another one"));
            }
        }
    }

    fn tool(&mut self, path: &str, tool: &Value) {
        self.object(path, tool, &["driver"], &[("driver", Object(Self::component))]);
    }

    fn component(&mut self, path: &str, component: &Value) {
        let members = [("name", Text), ("version", Text), ("semanticVersion", Text), ("rules", Array(Self::rule))];
        self.object(path, component, &["name"], &members);
    }

    fn rule(&mut self, path: &str, rule: &Value) {
        let members = [
            ("id", Text),
            ("name", Text),
            ("shortDescription", Object(Self::message)),
            ("fullDescription", Object(Self::message)),
            ("help", Object(Self::message)),
            ("defaultConfiguration", Object(Self::configuration)),
            ("properties", Anything),
        ];
        self.object(path, rule, &["id"], &members);
    }

    fn configuration(&mut self, path: &str, configuration: &Value) {
        self.object(path, configuration, &[], &[("level", LEVELS)]);
    }

    fn invocation(&mut self, path: &str, invocation: &Value) {
        let members = [
            ("executionSuccessful", Boolean),
            ("exitCode", Integer(0)),
            ("toolExecutionNotifications", Array(Self::notification)),
        ];
        self.object(path, invocation, &["executionSuccessful"], &members);
    }

    fn notification(&mut self, path: &str, notification: &Value) {
        let members =
            [("message", Object(Self::message)), ("level", LEVELS), ("associatedRule", Object(Self::rule_reference))];
        self.object(path, notification, &["message"], &members);
    }

    fn rule_reference(&mut self, path: &str, reference: &Value) {
        self.object(path, reference, &[], &[("id", Text), ("index", Integer(-1))]);
    }

    fn artifact(&mut self, path: &str, artifact: &Value) {
        let members = [("location", Object(Self::artifact_location)), ("sourceLanguage", Text)];
        self.object(path, artifact, &[], &members);
    }

    fn artifact_location(&mut self, path: &str, location: &Value) {
        self.object(path, location, &[], &[("uri", Text), ("index", Integer(-1))]);
        if location["uri"].as_str().is_some_and(|uri| uri.contains([' ', '\\', '<', '>', '"'])) {
            self.problems.push(format!("{path}/uri is no URI reference"));
        }
    }

    fn result(&mut self, path: &str, result: &Value) {
        let members = [
            ("ruleId", Text),
            ("ruleIndex", Integer(-1)),
            ("kind", Word(&["notApplicable", "pass", "fail", "review", "open", "informational"])),
            ("level", LEVELS),
            ("message", Object(Self::message)),
            ("locations", Array(Self::location)),
            ("relatedLocations", Array(Self::location)),
            ("codeFlows", Array(Self::code_flow)),
            ("partialFingerprints", Anything),
            ("suppressions", Array(Self::suppression)),
        ];
        self.object(path, result, &["message"], &members);
        if result["kind"] != "fail" && result["level"] != "none" {
            self.problems.push(format!("{path}: only a failure has a level"));
        }
    }

    fn suppression(&mut self, path: &str, suppression: &Value) {
        let members = [("kind", Word(&["inSource", "external"])), ("justification", Text)];
        self.object(path, suppression, &["kind"], &members);
    }

    fn code_flow(&mut self, path: &str, flow: &Value) {
        let members = [("message", Object(Self::message)), ("threadFlows", Array(Self::thread_flow))];
        self.object(path, flow, &["threadFlows"], &members);
        self.at_least_one(path, flow, "threadFlows");
    }

    fn thread_flow(&mut self, path: &str, flow: &Value) {
        let members = [("id", Text), ("message", Object(Self::message)), ("locations", Array(Self::flow_location))];
        self.object(path, flow, &["locations"], &members);
        self.at_least_one(path, flow, "locations");
    }

    fn flow_location(&mut self, path: &str, location: &Value) {
        let members = [
            ("location", Object(Self::location)),
            ("executionOrder", Integer(-1)),
            ("importance", Word(&["important", "essential", "unimportant"])),
            ("state", Object(Self::state)),
        ];
        self.object(path, location, &[], &members);
    }

    fn state(&mut self, path: &str, state: &Value) {
        for (name, message) in state.as_object().into_iter().flatten() {
            self.message(&format!("{path}/{name}"), message);
        }
    }

    fn location(&mut self, path: &str, location: &Value) {
        let members = [
            ("id", Integer(-1)),
            ("physicalLocation", Object(Self::physical_location)),
            ("message", Object(Self::message)),
        ];
        self.object(path, location, &[], &members);
    }

    fn physical_location(&mut self, path: &str, location: &Value) {
        let members = [("artifactLocation", Object(Self::artifact_location)), ("region", Object(Self::region))];
        self.object(path, location, &["artifactLocation"], &members);
    }

    fn region(&mut self, path: &str, region: &Value) {
        let members = [("startLine", Integer(1)), ("startColumn", Integer(1)), ("endColumn", Integer(1))];
        self.object(path, region, &["startLine"], &members);
        let column = |name: &str| region[name].as_u64().unwrap_or(1);
        if column("endColumn") < column("startColumn") {
            self.problems.push(format!("{path} ends before it starts"));
        }
    }

    fn message(&mut self, path: &str, message: &Value) {
        self.object(path, message, &["text"], &[("text", Text), ("markdown", Text), ("id", Text)]);
    }

    fn at_least_one(&mut self, path: &str, value: &Value, member: &str) {
        if value[member].as_array().is_none_or(Vec::is_empty) {
            self.problems.push(format!("{path}/{member} is empty"));
        }
    }

    fn object(&mut self, path: &str, value: &Value, required: &[&str], members: &[(&str, SchemaKind)]) {
        let Some(object) = value.as_object() else {
            return self.problems.push(format!("{path} is no object"));
        };
        for name in required.iter().filter(|name| !object.contains_key(**name)) {
            self.problems.push(format!("{path} has no {name}"));
        }
        for (name, value) in object {
            let path = format!("{path}/{name}");
            match members.iter().find(|(known, _)| known == name) {
                None => self.problems.push(format!("{path} is not in the standard")),
                Some((_, kind)) => self.member(&path, value, kind),
            }
        }
    }

    fn member(&mut self, path: &str, value: &Value, kind: &SchemaKind) {
        let fits = match kind {
            Anything => true,
            Text => value.is_string(),
            Boolean => value.is_boolean(),
            Integer(least) => value.as_i64().is_some_and(|number| number >= *least),
            Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Object(check) => {
                check(self, path, value);
                true
            }
            Array(check) => match value.as_array() {
                None => false,
                Some(items) => {
                    items.iter().enumerate().for_each(|(index, item)| check(self, &format!("{path}/{index}"), item));
                    true
                }
            },
        };
        if !fits {
            self.problems.push(format!("{path} cannot be {value}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn mistakes_are_found() {
        let good = json!({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}}]});
        assert!(check(&good).is_empty());
        let region = |region: Value| {
            let location = json!({"physicalLocation": {"artifactLocation": {"uri": "a.c"}, "region": region}});
            let result = json!({"message": {"text": "m"}, "kind": "fail", "ruleId": "r", "ruleIndex": 0,
                                "locations": [location]});
            let driver = json!({"name": "x", "rules": [{"id": "r"}]});
            check(&json!({"version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": [result]}]}))
        };
        assert_eq!(region(json!({"startLine": 3})), Vec::<String>::new());
        assert_eq!(
            region(json!({"startLine": 0})),
            ["/runs/0/results/0/locations/0/physicalLocation/region/startLine cannot be 0"]
        );
        assert_eq!(region(json!({"startLine": 3, "startColumn": 4, "endColumn": 3})).len(), 1);
        assert_eq!(region(json!({"startline": 3})).len(), 2);
        for bad in [json!([]), json!({"version": "2.0.0", "runs": []}), json!({"version": "2.1.0"})] {
            assert_eq!(check(&bad).len(), 1, "{bad}");
        }
    }
}
