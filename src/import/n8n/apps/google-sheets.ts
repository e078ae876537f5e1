import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import type { Made } from "../made.ts";
import type { NodeWork } from "../node-work.ts";
import { requestConfig, type Service } from "../services.ts";
import { type AppMapper, type AppRequest, given, idOf, inAddress, isGiven, templated, unsaid } from "./request.ts";

const fileOf = (work: NodeWork) =>
  `/spreadsheets/${idOf(work, "/d/([\\w-]{15,})", work.at("documentId") === undefined ? "sheetId" : "documentId")}`;

/**
 * The sheet's name as A1 notation has it. n8n keeps the number of a chosen sheet, and its name beside it; a number alone is no
 * range, unless it is that of the first sheet.
 */
function sheetOf(work: NodeWork): string | undefined {
  const locator = work.node.parameters.raw.sheetName;
  const name = isJsonObject(locator) ? locator.cachedResultName : undefined;
  const isChosen = isJsonObject(locator) && (locator.mode === "list" || locator.mode === "url");
  const value = work.at("sheetName");
  if (isChosen && typeof name === "string" && name !== "") return name;
  const text = value === undefined || value === null ? "" : String(value).replace(/^gid=/, "");
  const isNumber = isJsonObject(locator) && (isChosen || locator.mode === "id") && /^\d+$/.test(text);
  if (isNumber) return text === "0" ? "" : undefined;
  return work.textOf(value);
}

/** A range in the address; without a name it is in the first sheet. */
function rangeOf(sheet: string, cells = ""): string {
  if (sheet === "") return inAddress(cells === "" ? "A:ZZZ" : cells);
  const named = sheet.includes("{{") ? sheet : `'${sheet.replaceAll("'", "''")}'`;
  const quoted = sheet.includes("{{") ? `'${sheet}'` : named;
  return inAddress(cells === "" ? quoted : `${quoted}!${cells}`);
}

const unknownSheet = unsaid(
  "n8n kept only the number of its sheet. Write the sheet’s name into a request for its values.",
);

const text = (value: Json | undefined) => (typeof value === "string" ? value : "");

/** The columns of the sheet from left to right, as n8n saw them; empty where it did not keep them. */
function columnsOf(work: NodeWork): string[] {
  const schema = work.list("columns", "schema").map(({ id, displayName }) => text(id) || text(displayName));
  return schema.filter((name) => name !== "" && name !== "row_number");
}

/** The values that are set, by column; undefined where the input's own fields are. */
function valuesOf(work: NodeWork): JsonObject | undefined {
  const isDefined = work.at("columns") !== undefined || work.at("fieldsUi") !== undefined;
  const isAuto =
    work.word(["columns", "mappingMode"], "defineBelow") === "autoMapInputData" ||
    work.word("dataMode", isDefined ? "defineBelow" : "autoMapInputData") === "autoMapInputData";
  if (isAuto) {
    for (const name of ["value", "mappings"]) work.drop(["columns", name], "The fields of the input go in instead.");
    return undefined;
  }
  const rows = [...work.list("fieldsUi", "values"), ...work.list("fieldsUi", "fieldValues")];
  if (rows.length > 0) {
    const key = work.at("columnToMatchOn");
    const found = templated(work, work.at("valueToMatch"));
    return Object.fromEntries([
      ...(found === undefined || typeof key !== "string" ? [] : [[key, found] as const]),
      ...rows.map(
        ({ column, columnName, fieldId, fieldValue }) =>
          [work.textOf(column === "newColumn" ? columnName : (column ?? fieldId)), work.template(fieldValue)] as const,
      ),
    ]);
  }
  // Some files have the columns as a list.
  const listed = work.list("columns", "mappings");
  if (listed.length > 0)
    return Object.fromEntries(listed.map(({ column, value }) => [work.textOf(column), work.template(value)]));
  const values = work.at("columns", "value");
  if (typeof values === "string" && work.isExpression(values)) return undefined;
  return Object.fromEntries(
    (isJsonObject(values) ? Object.entries(values) : [])
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, work.template(value)]),
  );
}

const inputMode = (work: NodeWork) => {
  const format = work.word(["options", "cellFormat"]) || work.word(["options", "valueInputMode"]);
  return { valueInputOption: format === "RAW" ? "RAW" : "USER_ENTERED" };
};

const http = (work: NodeWork, request: AppRequest): JsonObject => ({
  result: "body",
  onError: work.node.onError === "continue" ? "continue" : "fail",
  ...requestConfig(googleSheets, request),
});

/** Where the header is, which is the first row unless the node says otherwise. */
const headerRow = (work: NodeWork) =>
  work.number(["options", "locationDefine", "values", "headerRow"]) ??
  work.number(["options", "dataLocationOnSheet", "values", "headerRow"]) ??
  1;

const asRows = `const rows = (json && json.values) || [];
const header = rows[start - 1] || [];
const all = rows.slice(first - 1).map((cells, at) => ({
  row_number: first + at,
  ...Object.fromEntries(header.map((name, column) => [name === "" || name == null ? "col_" + (column + 1) : String(name), cells[column] === undefined ? "" : cells[column]])),
}));
const fits = (row) => any
  ? conditions.some(({ column, value }) => String(row[column] ?? "") === String(value ?? ""))
  : conditions.every(({ column, value }) => String(row[column] ?? "") === String(value ?? ""));
const found = conditions.length === 0 ? all : all.filter(fits);
return onlyFirst ? found.slice(0, 1) : found;`;

/** The conditions of a reading: the value that a column has to have. A column alone stands for an empty cell. */
function conditionsOf(work: NodeWork): JsonObject[] {
  const old = given(work, "lookupColumn");
  if (old !== undefined) return [{ column: old, value: templated(work, work.at("lookupValue")) ?? "" }];
  return work
    .list("filtersUI", "values")
    .filter(({ lookupColumn }) => lookupColumn !== undefined && lookupColumn !== "")
    .map(({ lookupColumn, lookupValue }) => ({
      column: work.textOf(lookupColumn),
      value: lookupValue === undefined ? "" : work.template(lookupValue),
    }));
}

/** Rows as n8n gives them, by the names in the header: a request, and code that puts its cells together. */
const read: AppMapper = (work): AppRequest | Made => {
  const sheet = work.at("sheetName") === undefined && work.at("range") !== undefined ? "" : sheetOf(work);
  if (sheet === undefined) return unknownSheet;
  const cells =
    text(templated(work, work.at("options", "dataLocationOnSheet", "values", "range"))) ||
    (work.node.version < 3 ? text(templated(work, work.at("range"))) : "");
  const whole = cells.includes("!") ? inAddress(cells) : rangeOf(sheet, cells);
  const query: JsonObject =
    work.word(["options", "outputFormatting", "values", "general"]) === "FORMATTED_VALUE"
      ? { valueRenderOption: "FORMATTED_VALUE" }
      : { valueRenderOption: "UNFORMATTED_VALUE", dateTimeRenderOption: "FORMATTED_STRING" };
  const request: AppRequest = { method: "GET", path: `${fileOf(work)}/values/${whole}`, query };
  if (!work.inFlow) {
    const isPart = conditionsOf(work).length > 0;
    return isPart
      ? { ...request, note: "The model gets all rows; tell it which ones it should use." }
      : { ...request, note: "The rows come as lists, the first with the names." };
  }
  work.keepInput();
  const conditions = conditionsOf(work);
  const start = headerRow(work);
  const first = work.number(["options", "dataLocationOnSheet", "values", "firstDataRow"]) ?? start + 1;
  const wanted = work.at("options", "returnAllMatches") ?? work.at("options", "returnFirstMatch");
  const onlyFirst =
    conditions.length > 0 &&
    (wanted === true || wanted === "returnFirstMatch" || work.flag(["options", "returnFirstMatch"]));
  const isAny = work.word("combineFilters", "AND") === "OR";
  return {
    type: "code",
    before: [{ title: work.step("cells").title, type: "http-request", config: http(work, request) }],
    config: {
      code: asRows,
      inputs: { conditions, start, first, onlyFirst, any: isAny },
      onError: work.node.onError === "continue" ? "continue" : "fail",
    },
    outcome: "approximated",
    note: "A request reads the cells, and code makes rows of them.",
    needs: googleSheets.needs,
  };
};

const asCells = `const rows = (sheet && sheet.values) || [];
const header = (rows[start - 1] || []).map((name) => String(name ?? ""));
const letters = (column) => { let name = ""; for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) name = String.fromCharCode(65 + ((rest - 1) % 26)) + name; return name; };
const items = (Array.isArray(wanted) ? wanted : [wanted]).filter((one) => one !== null && typeof one === "object");
const cell = (value) => value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : value;
if (mode === "append") {
  const names = header.length > 0 ? header : [...new Set(items.flatMap((one) => Object.keys(one)))].filter((name) => name !== "row_number");
  const added = items.map((item) => names.map((name) => cell(item[name])));
  return { values: header.length > 0 ? added : [names, ...added] };
}
const data = [];
let next = rows.length + 1;
for (const item of items) {
  const names = Object.keys(item).filter((name) => name !== "row_number");
  for (const name of names) if (!header.includes(name)) { header.push(name); data.push({ range: range + letters(header.length - 1) + start, values: [[name]] }); }
  const keys = keyColumns;
  const found = keys.length === 1 && keys[0] === "row_number"
    ? (Number(item.row_number) > 0 ? [Number(item.row_number)] : [])
    : rows.flatMap((cells, at) => at >= first - 1 && keys.length > 0 && keys.every((key) => header.indexOf(key) >= 0 && String(cells[header.indexOf(key)] ?? "") === String(item[key] ?? "")) ? [at + 1] : []);
  if (found.length === 0 && mode === "update") continue;
  for (const row of found.length === 0 ? [next++] : found.slice(0, 1))
    for (const name of names) data.push({ range: range + letters(header.indexOf(name)) + row, values: [[cell(item[name])]] });
}
return { valueInputOption: how, data };`;

/**
 * A write that depends on what the sheet holds: a request reads it, code finds the rows and columns, and a request writes the
 * cells, all at once (developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/batchUpdate).
 */
function writeByHeader(work: NodeWork, sheet: string, mode: "append" | "update" | "appendOrUpdate"): Made {
  const keys = mode === "append" ? [] : keysOf(work);
  work.drop(["options", "useAppend"], "A new row is always written below the last one.");
  work.drop(
    ["options", "handlingExtraData"],
    "Fields without a column get one, or are left out where only rows are added.",
  );
  const keeper = work.keepInput();
  const cells = work.step("cells");
  const changes = work.step("changes");
  const reading: AppRequest = { method: "GET", path: `${fileOf(work)}/values/${rangeOf(sheet)}` };
  const writing: AppRequest =
    mode === "append"
      ? {
          method: "POST",
          path: `${fileOf(work)}/values/${rangeOf(sheet)}:append`,
          query: { ...inputMode(work), insertDataOption: "INSERT_ROWS" },
          body: "{{json}}",
        }
      : { method: "POST", path: `${fileOf(work)}/values:batchUpdate`, body: "{{json}}" };
  const values = valuesOf(work);
  const range = sheet === "" ? "" : sheet.includes("{{") ? `'${sheet}'!` : `'${sheet.replaceAll("'", "''")}'!`;
  const notes = {
    append: "It reads the header first, to know the columns; fields without a column are left out.",
    update: "It reads the sheet first, to find the row, and changes the first that matches.",
    appendOrUpdate: "It reads the sheet first, to find the row; what is new is written below the last one.",
  };
  return {
    type: "http-request",
    before: [
      { title: cells.title, type: "http-request", config: http(work, reading) },
      {
        title: changes.title,
        type: "code",
        config: {
          code: asCells,
          inputs: {
            sheet: `{{${cells.path}}}`,
            wanted: values ?? `{{${keeper.path}}}`,
            keyColumns: keys,
            mode,
            range,
            start: headerRow(work),
            first: work.number(["options", "locationDefine", "values", "firstDataRow"]) ?? headerRow(work) + 1,
            how: inputMode(work).valueInputOption,
          },
        },
      },
    ],
    config: http(work, writing),
    outcome: "approximated",
    note: notes[mode],
    needs: googleSheets.needs,
  };
}

/** The columns that find the row. */
function keysOf(work: NodeWork): string[] {
  const listed = work.at("columns", "matchingColumns");
  if (Array.isArray(listed) && listed.length > 0) return listed.map(String);
  const old = text(work.at("columnToMatchOn")) || text(work.at("key"));
  return old === "" ? [] : [old.replace(/^=/, "")];
}

const letters = (column: number): string =>
  column < 26
    ? String.fromCharCode(65 + column)
    : letters(Math.floor(column / 26) - 1) + String.fromCharCode(65 + (column % 26));

const append: AppMapper = (work): AppRequest | Made => {
  const sheet =
    work.at("sheetName") === undefined ? text(templated(work, work.at("range"))).split("!")[0] : sheetOf(work);
  if (sheet === undefined) return unknownSheet;
  const columns = columnsOf(work);
  const values = work.inFlow || columns.length > 0 ? undefined : valuesOf(work);
  const written = work.node.parameters.find(["columns", "value"]).value;
  const isOther =
    columns.length > 0 &&
    (work.word(["columns", "mappingMode"]) === "autoMapInputData" ||
      (isJsonObject(written) &&
        Object.keys(written).some(
          (name) => written[name] !== null && !columns.includes(name) && name !== "row_number",
        )));
  const isElsewhere = headerRow(work) !== 1;
  for (const name of ["firstDataRow", "rangeDefinition"])
    work.drop(["options", "locationDefine", "values", name], "A new row is added below the last one.");
  work.drop(["options", "usePathForKeyRow"], "Names of columns are taken as they are.");
  const isPlain = columns.length > 0 || (values !== undefined && Object.keys(values).length > 0);
  work.drop(["columns", "matchingColumns"], "A new row is added to those that are there.");
  work.drop(["columns", "value", "row_number"], "A new row has no number yet.");
  work.drop(["options", "useAppend"], "Rows are always added this way here.");
  if (work.inFlow && (!isPlain || isOther || isElsewhere)) return writeByHeader(work, sheet, "append");
  if (!isPlain) return unsaid("It does not say which columns the sheet has: write the row as a list of values.");
  const set = values ?? valuesOf(work);
  const names = columns.length > 0 ? columns : Object.keys(set ?? {});
  const row = names.map((name) =>
    set === undefined ? `{{coalesce(json[?${JSON.stringify(name)}], "")}}` : (set[name] ?? ""),
  );
  return {
    method: "POST",
    path: `${fileOf(work)}/values/${rangeOf(sheet)}:append`,
    query: { ...inputMode(work), insertDataOption: "INSERT_ROWS" },
    body: { values: [row] },
    ...(columns.length > 0 ? {} : { note: "The values go into the columns in the order in which they stand there." }),
  };
};

/** Without its number nobody knows which row it is; with it, the cells are known from the columns. */
function updateKnownRow(work: NodeWork, sheet: string): AppRequest | undefined {
  const columns = columnsOf(work);
  const values = valuesOf(work);
  const row = values?.row_number;
  if (keysOf(work).join() !== "row_number" || columns.length === 0 || row === undefined) return undefined;
  const cells = Object.entries(values ?? {}).filter(([name]) => columns.includes(name));
  const name = sheet === "" ? "" : sheet.includes("{{") ? `'${sheet}'!` : `'${sheet.replaceAll("'", "''")}'!`;
  return {
    method: "POST",
    path: `${fileOf(work)}/values:batchUpdate`,
    body: {
      ...inputMode(work),
      data: cells.map(([column, value]) => ({
        range: `${name}${letters(columns.indexOf(column))}${String(row)}`,
        values: [[value]],
      })),
    },
  };
}

const update =
  (mode: "update" | "appendOrUpdate"): AppMapper =>
  (work): AppRequest | Made => {
    const sheet = sheetOf(work);
    if (sheet === undefined) return unknownSheet;
    const keys = keysOf(work);
    if (keys.length === 0 && mode === "update")
      return unsaid("It does not say which column finds the row: write it anew with the condition.");
    if (work.inFlow) return writeByHeader(work, sheet, keys.length === 0 ? "append" : mode);
    if (keys.length === 0) return append(work);
    return (
      updateKnownRow(work, sheet) ??
      unsaid(
        `An agent’s tool is one request, which cannot look for the row by ${keys.map((one) => `“${one}”`).join(", ")}.`,
      )
    );
  };

/** The number of the sheet, which some requests want instead of its name. A name that is a number is none. */
function sheetNumber(work: NodeWork): Json | undefined {
  const locator = work.node.parameters.raw.sheetName;
  if (isJsonObject(locator) && locator.mode === "name") return undefined;
  const value = work.at("sheetName");
  const digits = /^(?:https?:[^{]*[#?&])?(?:gid=)?(\d+)$/.exec(
    typeof value === "number" ? String(value) : text(value),
  )?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const batch = (work: NodeWork, requests: JsonObject[]): AppRequest => ({
  method: "POST",
  path: `${fileOf(work)}:batchUpdate`,
  body: { requests },
});

/**
 * A whole number from 1 on, or the CEL of one expression that has to give it; `usual` where none is given. Undefined for
 * anything else: Google takes a missing number for “no limit”.
 */
function countOf(work: NodeWork, name: string, usual: number): number | { code: string } | undefined {
  if (!isGiven(work, name)) return usual;
  const fixed = work.number(name);
  if (fixed !== undefined) return Number.isInteger(fixed) && fixed >= 1 ? fixed : undefined;
  const code = work.whole(work.at(name));
  // Without a number from 1 on there is no first one of the list, so that the step fails.
  return code === undefined ? undefined : { code: `[int(number(${code}))].filter(one, one >= 1)[0]` };
}

/** A column by its letters, counted from 1. */
const columnNumber = (name: string) =>
  [...name.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** Rows or columns that go away: their number counts from 1, and Google's from 0. */
const remove: AppMapper = (work) => {
  const sheetId = sheetNumber(work);
  if (sheetId === undefined)
    return unsaid("Google deletes rows by the number of the sheet, which the file does not have.");
  const what = work.word("toDelete", isGiven(work, "toDelete") ? "" : "rows");
  const column = work.at("startIndex") ?? "A";
  if (what === "columns" && !/^[A-Z]{1,3}$/i.test(String(column)))
    return unsaid("Which column it deletes is worked out by an expression.");
  const start = what === "columns" ? columnNumber(String(column)) : countOf(work, "startIndex", 2);
  const count = countOf(work, "numberToDelete", 1);
  if ((what !== "rows" && what !== "columns") || start === undefined || count === undefined)
    return unsaid("Which rows or columns it deletes cannot be told from the file.");
  const first = typeof start === "number" ? String(start - 1) : `${start.code} - 1`;
  const isFixed = typeof start === "number" && typeof count === "number";
  const end = isFixed ? start - 1 + count : `{{${first} + ${typeof count === "number" ? count : count.code}}}`;
  const range: JsonObject = {
    sheetId,
    dimension: what === "rows" ? "ROWS" : "COLUMNS",
    startIndex: typeof start === "number" ? start - 1 : `{{${first}}}`,
    endIndex: end,
  };
  return batch(work, [{ deleteDimension: { range } }]);
};

/** The cells that are cleared, in A1 notation; empty for the whole sheet. Undefined where the file does not say. */
function cellsToClear(work: NodeWork): string | undefined {
  const what = !isGiven(work, "sheetName")
    ? "specificRange"
    : work.word("clear", isGiven(work, "clear") ? "" : "wholeSheet");
  if (what === "wholeSheet") return work.flag("keepFirstRow") ? "A2:ZZZ" : "";
  work.drop("keepFirstRow", "It counts for the whole sheet only.");
  if (what === "specificRange") return work.textOf(work.at("range")).trim() || undefined;
  if (what === "specificRows") {
    const [start, count] = [countOf(work, "startIndex", 1), countOf(work, "rowsToDelete", 1)];
    return typeof start === "number" && typeof count === "number" ? `${start}:${start + count - 1}` : undefined;
  }
  const start = String(work.at("startIndex") ?? "A");
  const count = countOf(work, "columnsToDelete", 1);
  if (what !== "specificColumns" || typeof count !== "number" || !/^[A-Z]{1,3}$/i.test(start)) return undefined;
  return `${start}:${letters(columnNumber(start) + count - 2)}`;
}

const clear: AppMapper = (work) => {
  const sheet = isGiven(work, "sheetName") ? sheetOf(work) : "";
  if (sheet === undefined) return unknownSheet;
  const cells = cellsToClear(work);
  if (cells === undefined) return unsaid("Which cells it clears cannot be told from the file. Write the request anew.");
  const range = cells.includes("!") ? inAddress(cells) : rangeOf(sheet, cells);
  return { method: "POST", path: `${fileOf(work)}/values/${range}:clear` };
};

const createFile: AppMapper = (work) => {
  const sheets = work.list("sheetsUi", "sheetValues").map(({ title, propertiesUi }) => ({
    properties: {
      title: work.textOf(title),
      ...(isJsonObject(propertiesUi) ? { hidden: propertiesUi.hidden === true } : {}),
    },
  }));
  const locale = given(work, "options", "locale");
  return {
    method: "POST",
    path: "/spreadsheets",
    body: {
      properties: { title: work.textOf(work.at("title")), ...(locale === undefined ? {} : { locale }) },
      ...(sheets.length === 0 ? {} : { sheets }),
    },
  };
};

const createSheet: AppMapper = (work) => {
  const properties = { title: work.textOf(work.at("title")) || "n8n-sheet" };
  const hidden: JsonObject = work.flag(["options", "hidden"]) ? { hidden: true } : {};
  const index = given(work, "options", "index");
  return batch(work, [
    { addSheet: { properties: { ...properties, ...hidden, ...(index === undefined ? {} : { index }) } } },
  ]);
};

const removeSheet: AppMapper = (work) => {
  const sheetId = sheetNumber(work);
  return sheetId === undefined
    ? unsaid("Google deletes a sheet by its number, which the file does not have.")
    : batch(work, [{ deleteSheet: { sheetId } }]);
};

/** Google's API of spreadsheets (developers.google.com/workspace/sheets/api/reference/rest). */
export const googleSheets: Service = {
  base: "https://sheets.googleapis.com/v4",
  connector: "google-sheets",
  needs: "a Google sign-in",
  usual: { resource: "sheet", operation: "read", operations: { spreadsheet: "create", sheet: "read" } },
  calls: {
    "spreadsheet.create": createFile,
    ".read": read,
    ".getAll": read,
    ".getMany": read,
    ".readAllRows": read,
    ".lookup": read,
    ".append": append,
    ".appendRow": append,
    ".update": update("update"),
    ".appendOrUpdate": update("appendOrUpdate"),
    ".upsert": update("appendOrUpdate"),
    ".delete": remove,
    ".clear": clear,
    ".create": createSheet,
    ".remove": removeSheet,
    ".deleteSheet": removeSheet,
  },
};
