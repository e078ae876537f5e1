import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import type { Made } from "../made.ts";
import { escaped, type NodeWork } from "../node-work.ts";
import type { Service } from "../services.ts";
import { parsed } from "../tool-parameters.ts";
import { type AppMapper, type AppRequest, given, idOf, type Paging, present, templated, unsaid } from "./request.ts";
import { blocksOf, conditionOf, iconOf, propertiesOf } from "./notion-properties.ts";

const uuid = "([0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12})";
const own = "Its answer has the form of Notion’s API: values stand in “properties”.";

/** An id in a body, where nothing is encoded. */
const id = (work: NodeWork, name: string) => decodeURIComponent(idOf(work, uuid, name));
const pageOf = (work: NodeWork) => `/pages/${idOf(work, uuid, work.at("pageId") === undefined ? "id" : "pageId")}`;

/** How many results are asked for, and how the rest follows. */
function amount(work: NodeWork): { size: JsonObject; paging: Paging } {
  const all = work.flag("returnAll");
  return {
    size: { page_size: all ? 100 : (templated(work, work.at("limit")) ?? 50) },
    paging: { parameter: "start_cursor", next: "next_cursor", items: "results", all },
  };
}

function written(work: NodeWork, make: (properties: JsonObject) => AppRequest): AppRequest | Made {
  const { properties, unknown } = propertiesOf(work);
  if (unknown.length > 0)
    return unsaid(`It is not known what kind of property ${unknown.map((one) => `“${one}”`).join(", ")} is.`);
  return make(properties);
}

const titled = (work: NodeWork): JsonObject => {
  const title = given(work, "title");
  return title === undefined ? {} : { title: { title: [{ text: { content: title } }] } };
};

const createInDatabase: AppMapper = (work) =>
  written(work, (properties) => ({
    method: "POST",
    path: "/pages",
    body: {
      parent: { database_id: id(work, "databaseId") },
      properties: { ...titled(work), ...properties },
      ...childrenOf(work),
      ...iconOf(work),
    },
    note: own,
  }));

const childrenOf = (work: NodeWork): JsonObject => {
  const blocks = blocksOf(work);
  return blocks.length === 0 ? {} : { children: blocks };
};

/** The filter of a query; "unknown" where it cannot be kept. */
function filterOf(work: NodeWork): Json | undefined {
  const type = work.word("filterType", work.at("filters", "conditions") === undefined ? "none" : "manual");
  if (type === "json") {
    const source = work.at("filterJson");
    const fixed = parsed(source);
    return fixed === undefined ? templated(work, source) : work.template(fixed);
  }
  const single = work.at("options", "filter", "singleCondition");
  const rows = [
    ...work.list("filters", "conditions"),
    ...work.list("options", "filter", "singleCondition"),
    ...(isJsonObject(single) ? [single] : []),
  ];
  const many = work.at("options", "filter", "multipleCondition", "condition");
  if (rows.length === 0 && isJsonObject(many)) return "unknown";
  if (type === "none" && work.at("options", "filter") === undefined) return undefined;
  const join = work.word("matchType", "anyFilter");
  const made = rows.map((row) => conditionOf(work, row));
  if (made.some((one) => one === undefined)) return "unknown";
  const conditions = made.filter((one) => one !== undefined);
  const [only] = conditions;
  if (only === undefined || conditions.length === 1) return only;
  return { [join === "allFilters" ? "and" : "or"]: conditions };
}

function sortsOf(work: NodeWork): Json | undefined {
  const rows = work.list("options", "sort", "sortValue");
  if (rows.length === 0) return undefined;
  return rows.map(({ key, direction, timestamp }) => ({
    [timestamp === true ? "timestamp" : "property"]: escaped(String(key ?? "").split("|")[0] ?? ""),
    direction: String(direction ?? "ascending"),
  }));
}

const queryDatabase: AppMapper = (work) => {
  const filter = filterOf(work);
  if (filter === "unknown") return unsaid("Its filter has a kind of property that is not known.");
  const { size, paging } = amount(work);
  return {
    method: "POST",
    path: `/databases/${idOf(work, uuid, "databaseId")}/query`,
    body: { ...size, ...present({ filter, sorts: sortsOf(work) }) },
    paging,
    note: own,
  };
};

const search =
  (kind?: "database"): AppMapper =>
  (work) => {
    const { size, paging } = amount(work);
    const sort = work.at("options", "sort", "sortValue");
    const filter = work.at("options", "filter", "filters");
    return {
      method: "POST",
      path: "/search",
      body: {
        ...size,
        ...present({
          query: given(work, "text"),
          filter: kind
            ? { property: "object", value: kind }
            : isJsonObject(filter)
              ? { property: "object", value: String(filter.value ?? "page") }
              : undefined,
          sort: isJsonObject(sort)
            ? { timestamp: "last_edited_time", direction: String(sort.direction ?? "descending") }
            : undefined,
        }),
      },
      paging,
      note: own,
    };
  };

const read =
  (path: (work: NodeWork) => string): AppMapper =>
  (work) => ({ method: "GET", path: path(work), note: own });

/** Notion's API in the version that still has databases without data sources, as n8n's node has (developers.notion.com). */
export const notion: Service = {
  base: "https://api.notion.com/v1",
  connector: "notion",
  needs: "the secret of a Notion integration",
  headers: { "Notion-Version": "2022-06-28" },
  usual: {
    resource: "page",
    operation: "create",
    operations: { block: "append", database: "get", user: "get", databasePage: "create", page: "create" },
  },
  calls: {
    "databasePage.create": createInDatabase,
    "databasePage.getAll": queryDatabase,
    "databasePage.get": read(pageOf),
    "databasePage.update": (work) =>
      written(work, (properties) => ({
        method: "PATCH",
        path: pageOf(work),
        body: { properties, ...iconOf(work) },
        note: own,
      })),
    "page.create": (work) => ({
      method: "POST",
      path: "/pages",
      body: {
        parent: { page_id: id(work, "pageId") },
        properties: titled(work),
        ...childrenOf(work),
        ...iconOf(work),
      },
      note: own,
    }),
    "page.get": read(pageOf),
    "page.update": (work) => ({ method: "PATCH", path: pageOf(work), body: { properties: titled(work) }, note: own }),
    "page.archive": (work) => ({ method: "PATCH", path: pageOf(work), body: { archived: true } }),
    "page.search": search(),
    "block.append": (work) => ({
      method: "PATCH",
      path: `/blocks/${idOf(work, uuid, "blockId")}/children`,
      body: { children: blocksOf(work) },
    }),
    "block.getAll": (work) => {
      const { size, paging } = amount(work);
      return {
        method: "GET",
        path: `/blocks/${idOf(work, uuid, "blockId")}/children`,
        query: size,
        paging,
        note: work.flag("fetchNestedBlocks") ? "Blocks inside blocks are not read." : own,
      };
    },
    "database.get": read((work) => `/databases/${idOf(work, uuid, "databaseId")}`),
    "database.getAll": search("database"),
    "database.search": search("database"),
    "user.get": read((work) => `/users/${idOf(work, uuid, "userId")}`),
    "user.getAll": read(() => "/users"),
  },
};
