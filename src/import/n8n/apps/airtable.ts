import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import type { NodeWork } from "../node-work.ts";
import type { Service } from "../services.ts";
import {
  type AppMapper,
  type AppRequest,
  given,
  idOf,
  isGiven,
  listOf,
  present,
  segment,
  templated,
  unsaid,
} from "./request.ts";

const baseOf = (work: NodeWork) =>
  `/${idOf(work, "(app[A-Za-z0-9]+)", work.at("base") === undefined ? "application" : "base")}`;
const tableOf = (work: NodeWork) => `${baseOf(work)}/${idOf(work, "(tbl[A-Za-z0-9]+)", "table")}`;

/** The fields that are written: those that are set, or those of the input. */
function fieldsOf(work: NodeWork): Json {
  const columns = work.at("columns", "value");
  const isMapped = work.at("columns") !== undefined;
  if (isMapped && work.word(["columns", "mappingMode"], "defineBelow") !== "autoMapInputData") {
    const rows = isJsonObject(columns) ? Object.entries(columns) : [];
    return Object.fromEntries(rows.filter(([name]) => name !== "id").map(([name, one]) => [name, work.template(one)]));
  }
  work.drop(["columns", "value"], "The fields of the input go in instead.");
  const chosen = work.at("fields");
  const all = work.at("addAllFields") ?? work.at("updateAllFields") ?? true;
  if (!isMapped && all === false && Array.isArray(chosen)) {
    return Object.fromEntries(chosen.map(String).map((name) => [name, `{{get(json, ${JSON.stringify(name)})}}`]));
  }
  const left = work.word(["options", "ignoreFields"]).split(",");
  const names = ["id", "createdTime", ...left.map((one) => one.trim()).filter(Boolean)];
  return `{{without(json, ${names.map((one) => JSON.stringify(one)).join(", ")})}}`;
}

const options = (work: NodeWork): JsonObject => (work.flag(["options", "typecast"]) ? { typecast: true } : {});

const create: AppMapper = (work) => {
  work.drop(["columns", "matchingColumns"], "A new record is added to those that are there.");
  return created(work);
};

const created = (work: NodeWork): AppRequest => ({
  method: "POST",
  path: tableOf(work),
  body: { fields: fieldsOf(work), ...options(work) },
});

function keysOf(work: NodeWork): string[] {
  const keys = work.at("columns", "matchingColumns");
  return Array.isArray(keys) ? keys.map(String) : [];
}

/** The record's id: its own parameter, a column, or the input's. */
function recordOf(work: NodeWork): string {
  if (isGiven(work, "id")) return segment(work, "id");
  const column = work.at("columns", "value", "id");
  return column === undefined || column === null || column === ""
    ? "{{json.id}}"
    : segment(work, "columns", "value", "id");
}

/** Airtable finds the records itself (airtable.com/developers/web/api/update-multiple-records). */
const merged = (work: NodeWork, keys: readonly string[], note?: string): AppRequest => ({
  method: "PATCH",
  path: tableOf(work),
  body: {
    performUpsert: { fieldsToMergeOn: [...keys] },
    records: [{ fields: fieldsOf(work) }],
    ...options(work),
  },
  ...(note === undefined ? {} : { note }),
});

const update: AppMapper = (work) => {
  const keys = keysOf(work).filter((one) => one !== "id");
  if (keys.length > 0 && !keysOf(work).includes("id"))
    return merged(work, keys, "It also adds the record where none matches; n8n’s node fails then.");
  return {
    method: "PATCH",
    path: `${tableOf(work)}/${recordOf(work)}`,
    body: { fields: fieldsOf(work), ...options(work) },
  };
};

const upsert: AppMapper = (work) => {
  const keys = keysOf(work);
  const others = keys.filter((one) => one !== "id");
  if (others.length > 0) return merged(work, others);
  if (keys.length === 0) return unsaid("It does not say which fields find the record: write it anew with them.");
  return {
    method: "PATCH",
    path: `${tableOf(work)}/${recordOf(work)}`,
    body: { fields: fieldsOf(work), ...options(work) },
    note: "It changes the record with the ID; one without an ID is not added.",
  };
};

const list: AppMapper = (work) => {
  const optionNames = work.at("additionalOptions") === undefined ? "options" : "additionalOptions";
  const sorts = [...work.list("sort", "property"), ...work.list(optionNames, "sort")];
  const wanted = listOf(work, work.at(optionNames, "fields"));
  const all = work.at("returnAll") !== false;
  const view = templated(work, work.at("view")) ?? templated(work, work.at(optionNames, "view"));
  return {
    method: "GET",
    path: tableOf(work),
    query: {
      ...present({
        filterByFormula: given(work, "filterByFormula") ?? given(work, optionNames, "filterByFormula"),
        maxRecords: all ? undefined : (given(work, "limit") ?? 100),
        view,
        "fields[]": wanted,
      }),
      ...Object.fromEntries(
        sorts.flatMap(({ field, direction }, at): [string, Json][] => [
          [`sort[${at}][field]`, work.template(field)],
          [`sort[${at}][direction]`, work.template(direction ?? "asc")],
        ]),
      ),
    },
    paging: { parameter: "offset", next: "offset", items: "records", all },
    note: "The values of each record stand in its “fields”.",
  };
};

const one =
  (method: "GET" | "DELETE"): AppMapper =>
  (work) => ({ method, path: `${tableOf(work)}/${recordOf(work)}` });

/** Airtable's web API (airtable.com/developers/web/api). */
export const airtable: Service = {
  base: "https://api.airtable.com/v0",
  connector: "airtable",
  needs: "an Airtable token",
  usual: { resource: "record", operation: "get", operations: { base: "getMany", record: "get" } },
  calls: {
    "record.create": create,
    ".append": create,
    ".create": create,
    "record.get": one("GET"),
    ".read": one("GET"),
    ".get": one("GET"),
    "record.search": list,
    ".list": list,
    ".getAll": list,
    ".getAllRecords": list,
    "record.update": update,
    ".update": update,
    "record.upsert": upsert,
    "record.deleteRecord": one("DELETE"),
    ".delete": one("DELETE"),
    "base.getMany": () => ({ method: "GET", path: "/meta/bases" }),
    "base.getSchema": (work) => ({ method: "GET", path: `/meta/bases${baseOf(work)}/tables` }),
  },
};
