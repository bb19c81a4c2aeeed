//! Changes to a scenario: values set by path, and entries left out.

use toml::{Table, Value};

/// Sets what `path` names: `unit.meredith.at`, `hours.last`, `side.csa.handicap`. An entry of a list is named by its `id`,
/// or by its number from 1.
///
/// # Errors
/// Which part of the path leads nowhere, and what is there.
pub(crate) fn set(scenario: &mut Table, path: &str, value: &Value) -> Result<(), String> {
    let (parents, last) = path.rsplit_once('.').unwrap_or(("", path));
    let table = walk(scenario, parents).map_err(|why| format!("`{path}`: {why}"))?;
    table.insert(last.to_owned(), value.clone());
    Ok(())
}

/// Leaves out what `path` names: an entry of a list, or a key.
///
/// # Errors
/// Which part of the path leads nowhere, and what is there.
pub(crate) fn remove(scenario: &mut Table, path: &str) -> Result<(), String> {
    let (parents, last) = path.rsplit_once('.').unwrap_or(("", path));
    let gone = |why: String| format!("`{path}`: {why}");
    // The last part is an entry of a list if the part before it is one.
    let (grand, list) = parents.rsplit_once('.').unwrap_or(("", parents));
    if let Some(Value::Array(entries)) = walk(scenario, grand).map_err(gone)?.get_mut(list) {
        let index = position(entries, last).map_err(gone)?;
        entries.remove(index);
        return Ok(());
    }
    let table = walk(scenario, parents).map_err(gone)?;
    match table.remove(last) {
        Some(_) => Ok(()),
        None => Err(gone(format!("there is no `{last}`; {}", known(table.keys())))),
    }
}

fn walk<'t>(scenario: &'t mut Table, path: &str) -> Result<&'t mut Table, String> {
    let mut table = scenario;
    let mut parts = path.split('.').filter(|part| !part.is_empty()).peekable();
    while let Some(part) = parts.next() {
        if !table.contains_key(part) {
            return Err(format!("there is no `{part}`; {}", known(table.keys())));
        }
        table = match table.get_mut(part) {
            Some(Value::Table(inner)) => inner,
            Some(Value::Array(entries)) => {
                let which =
                    parts.next().ok_or_else(|| format!("`{part}` is a list: name one entry by its id"))?;
                let index = position(entries, which)?;
                match &mut entries[index] {
                    Value::Table(inner) => inner,
                    _ => return Err(format!("`{part}.{which}` is a plain value and has no parts")),
                }
            }
            _ => return Err(format!("`{part}` is a plain value and has no parts")),
        };
    }
    Ok(table)
}

fn position(entries: &[Value], which: &str) -> Result<usize, String> {
    let id = |entry: &Value| entry.get("id").and_then(Value::as_str).map(str::to_owned);
    if let Some(index) = entries.iter().position(|entry| id(entry).as_deref() == Some(which)) {
        return Ok(index);
    }
    match which.parse::<usize>() {
        Ok(number) if (1..=entries.len()).contains(&number) => Ok(number - 1),
        _ => Err(format!("there is no entry `{which}`; {}", known(entries.iter().filter_map(id)))),
    }
}

fn known<T: AsRef<str>>(names: impl Iterator<Item = T>) -> String {
    let names: Vec<String> = names.map(|name| name.as_ref().to_owned()).collect();
    match names.len() {
        0 => "nothing has a name here".to_owned(),
        _ => format!("choose among {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario() -> Table {
        "title = 'x'\n[hours]\nlast = 13\n[[unit]]\nid = 'gamble'\nsp = 5\n[[unit]]\nid = 'devin'\nsp = 4\n"
            .parse()
            .unwrap()
    }

    #[test]
    fn a_value_is_set_by_its_path() {
        let mut table = scenario();
        set(&mut table, "unit.devin.sp", &Value::Integer(7)).unwrap();
        set(&mut table, "unit.1.at", &Value::String("0910".into())).unwrap();
        set(&mut table, "hours.last", &Value::Integer(12)).unwrap();
        assert_eq!(table["unit"][1]["sp"].as_integer(), Some(7));
        assert_eq!(table["unit"][0]["at"].as_str(), Some("0910"));
        assert_eq!(table["hours"]["last"].as_integer(), Some(12));
    }

    #[test]
    fn an_entry_is_left_out() {
        let mut table = scenario();
        remove(&mut table, "unit.gamble").unwrap();
        assert_eq!(table["unit"].as_array().map(Vec::len), Some(1));
        remove(&mut table, "hours.last").unwrap();
        assert!(table["hours"].as_table().unwrap().is_empty());
    }

    #[test]
    fn a_path_that_leads_nowhere_says_what_is_there() {
        let mut table = scenario();
        let said = |result: Result<(), String>| result.unwrap_err();
        assert!(said(set(&mut table, "unit.davis.sp", &Value::Integer(1))).contains("gamble, devin"));
        let known = said(set(&mut table, "weather.rain", &Value::Integer(1)));
        assert!(known.contains("title") && known.contains("hours"), "{known}");
        assert!(said(set(&mut table, "title.x.y", &Value::Integer(1))).contains("plain value"));
        assert!(said(remove(&mut table, "unit.davis")).contains("gamble, devin"));
        assert!(said(remove(&mut table, "hours.first")).contains("last"));
    }
}
