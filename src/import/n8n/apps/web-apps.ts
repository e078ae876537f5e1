import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import type { Made } from "../made.ts";
import type { NodeWork } from "../node-work.ts";
import { requestConfig, requestStep, type FixedCall, type Service } from "../services.ts";
import { encodedAttachments } from "./attached-files.ts";
import {
  type AppMapper,
  type AppRequest,
  expressionOf,
  given,
  isGiven,
  jsonOf,
  listOf,
  pathSegments,
  present,
  segment,
  templated,
  unsaid,
} from "./request.ts";

/** Names and values of a row, as n8n lists them; or the input's own fields. */
function rowOf(work: NodeWork, name: "fieldName" | "fieldId"): Json {
  if (work.word("dataToSend") === "autoMapInputData" || work.word("dataToSend") === "mapWithFields") {
    const left = work
      .word("inputsToIgnore")
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean);
    return left.length === 0 ? "{{json}}" : `{{without(json, ${left.map((one) => JSON.stringify(one)).join(", ")})}}`;
  }
  return Object.fromEntries(
    work
      .list("fieldsUi", "fieldValues")
      .map((row) => [work.textOf(row[name]).replace(/^=/, ""), work.template(row.fieldValue ?? "")]),
  );
}

const hasFile = (work: NodeWork) => work.list("fieldsUi", "fieldValues").some(({ binaryData }) => binaryData === true);

/** Rows of NocoDB (meta-apis-v2.nocodb.com, data-apis-v2.nocodb.com). */
const nocoTable = (work: NodeWork) => {
  for (const name of ["projectId", "workspaceId"]) work.drop(name, "The table says it.");
  return `/${segment(work, "table")}/records`;
};

export const nocoDb: Service = {
  base: "https://app.nocodb.com/api/v2/tables",
  needs: "a NocoDB token (HTTP header xc-token)",
  usual: { resource: "row", operation: "get" },
  calls: {
    "row.create": (work) =>
      hasFile(work)
        ? unsaid("It adds a file, which the import does not map. An HTTP request can send it.")
        : { method: "POST", path: nocoTable(work), body: rowOf(work, "fieldName") },
    "row.update": (work): AppRequest | Made => {
      if (hasFile(work)) return unsaid("It adds a file, which the import does not map. An HTTP request can send it.");
      const id = given(work, "id");
      const row = rowOf(work, "fieldName");
      return {
        method: "PATCH",
        path: nocoTable(work),
        body: id === undefined || !isJsonObject(row) ? row : { Id: id, ...row },
      };
    },
    "row.delete": (work) => ({ method: "DELETE", path: nocoTable(work), body: present({ Id: given(work, "id") }) }),
    "row.get": (work) => ({ method: "GET", path: `${nocoTable(work)}/${segment(work, "id")}` }),
    "row.getAll": (work) => {
      const all = work.flag("returnAll");
      const fields = listOf(work, work.at("options", "fields"));
      const sorts = work
        .list("options", "sort", "property")
        .map(({ field, direction }) => `${direction === "desc" ? "-" : ""}${work.textOf(field)}`);
      return {
        method: "GET",
        path: nocoTable(work),
        query: present({
          where: given(work, "options", "where"),
          fields: Array.isArray(fields) ? fields.join(",") : fields,
          sort: sorts.length === 0 ? undefined : sorts.join(","),
          viewId: given(work, "options", "viewId"),
          limit: all ? 1_000 : (given(work, "limit") ?? 50),
        }),
        paging: { parameter: "offset", next: "", items: "list", all: false },
      };
    },
  },
};

/** Rows of Baserow (api.baserow.io/api/redoc). */
const baserowTable = (work: NodeWork) => {
  work.drop("databaseId", "The table says it.");
  return `/${segment(work, "tableId")}/`;
};

/** n8n has the numbers of columns, which Baserow takes as `field_12`. */
const baserowRow = (work: NodeWork): Json => {
  const row = rowOf(work, "fieldId");
  return isJsonObject(row)
    ? Object.fromEntries(
        Object.entries(row).map(([name, value]) => [/^\d+$/.test(name) ? `field_${name}` : name, value]),
      )
    : row;
};
const byName = (work: NodeWork): JsonObject =>
  work.word("dataToSend") === "autoMapInputData" ? { user_field_names: "true" } : {};

export const baserow: Service = {
  base: "https://api.baserow.io/api/database/rows/table",
  needs: "a Baserow token (HTTP header Authorization: Token …)",
  usual: { resource: "row", operation: "getAll" },
  calls: {
    ".create": (work) => ({ method: "POST", path: baserowTable(work), query: byName(work), body: baserowRow(work) }),
    ".update": (work) => ({
      method: "PATCH",
      path: `${baserowTable(work)}${segment(work, "rowId")}/`,
      query: byName(work),
      body: baserowRow(work),
    }),
    ".delete": (work) => ({ method: "DELETE", path: `${baserowTable(work)}${segment(work, "rowId")}/` }),
    ".get": (work) => ({
      method: "GET",
      path: `${baserowTable(work)}${segment(work, "rowId")}/`,
      query: { user_field_names: "true" },
    }),
    ".getAll": (work): AppRequest | Made => {
      const order = work
        .list("additionalOptions", "order", "fields")
        .map(({ field, direction }) => `${String(direction ?? "")}field_${work.textOf(field)}`);
      const filters = work.list("additionalOptions", "filters", "fields");
      return {
        method: "GET",
        path: baserowTable(work),
        query: {
          user_field_names: "true",
          size: work.flag("returnAll") ? 200 : (given(work, "limit") ?? 100),
          ...present({
            search: given(work, "additionalOptions", "search"),
            order_by: order.length === 0 ? undefined : order.join(","),
            filter_type: given(work, "additionalOptions", "filterType"),
          }),
          ...Object.fromEntries(
            filters.map(({ field, operator, value }) => [
              `filter__field_${work.textOf(field)}__${String(operator ?? "equal")}`,
              work.textOf(value),
            ]),
          ),
        },
        paging: { parameter: "", next: "next", items: "results", all: work.flag("returnAll") },
      };
    },
  },
};

/** Mails of SendGrid (www.twilio.com/docs/sendgrid/api-reference/mail-send). */
export const sendGrid: Service = {
  base: "https://api.sendgrid.com/v3",
  connector: "sendgrid",
  needs: "a SendGrid key",
  usual: { resource: "list", operation: "create", operations: { mail: "send", contact: "upsert", list: "create" } },
  calls: {
    "mail.send": (work): AppRequest | Made => {
      const files = isGiven(work, "additionalFields", "attachments")
        ? encodedAttachments(work, [["additionalFields", "attachments"]], "sendgrid")
        : undefined;
      const several = (value: Json | undefined) => {
        const list = listOf(work, value);
        return Array.isArray(list)
          ? list.map((email) => ({ email }))
          : list === undefined
            ? undefined
            : `{{${String(list).slice(2, -2)}.map(one, {"email": text(one)}) }}`;
      };
      const template = work.flag("dynamicTemplate") ? given(work, "templateId") : undefined;
      const values = work
        .list("dynamicTemplateFields", "fields")
        .map(({ key, value }) => [work.textOf(key), work.template(value ?? "")] as const);
      const field = (name: string) => given(work, "additionalFields", name);
      const headers = work
        .list("additionalFields", "headers", "details")
        .map(({ key, value }) => [work.textOf(key), work.textOf(value)] as const);
      const sandbox = field("enableSandbox");
      return {
        method: "POST",
        path: "/mail/send",
        body: present({
          personalizations: [
            present({
              to: several(work.at("toEmail")),
              cc: several(work.at("additionalFields", "ccEmail")),
              bcc: several(work.at("additionalFields", "bccEmail")),
              subject: template === undefined ? given(work, "subject") : undefined,
              dynamic_template_data: values.length === 0 ? undefined : Object.fromEntries(values),
              send_at: field("sendAt"),
            }),
          ],
          from: present({ email: given(work, "fromEmail"), name: given(work, "fromName") }),
          reply_to_list: several(work.at("additionalFields", "replyToEmail")),
          template_id: template,
          content:
            template === undefined
              ? [{ type: given(work, "contentType") ?? "text/plain", value: given(work, "contentValue") ?? "" }]
              : undefined,
          categories: listOf(work, work.at("additionalFields", "categories")),
          headers: headers.length === 0 ? undefined : Object.fromEntries(headers),
          attachments: files?.attachments,
          ip_pool_name: field("ipPoolName"),
          mail_settings: sandbox === undefined ? undefined : { sandbox_mode: { enable: sandbox } },
        }),
        ...(files === undefined ? {} : { before: files.before }),
      };
    },
    "contact.getAll": { method: "GET", url: "/marketing/contacts", items: "result" },
    "contact.get": { method: "GET", url: "/marketing/contacts/{contactId}" },
    "list.getAll": { method: "GET", url: "/marketing/lists", items: "result" },
    "list.create": { method: "POST", url: "/marketing/lists", body: { name: "name" } },
  },
};

/** Posts and pages of WordPress (developer.wordpress.org/rest-api/reference). */
const wordpressOf = (path: string, id: string): Record<string, FixedCall> => {
  const names = { authorId: "author", postTemplate: "", sticky: "sticky" };
  return {
    create: { method: "POST", url: path, body: { title: "title" }, rest: ["additionalFields"], style: "snake", names },
    update: { method: "POST", url: `${path}/{${id}}`, rest: ["updateFields"], style: "snake", names },
    get: { method: "GET", url: `${path}/{${id}}`, rest: ["options"], style: "snake" },
    getAll: {
      method: "GET",
      url: path,
      limit: "per_page",
      rest: ["options"],
      style: "snake",
      names: { orderBy: "orderby", authors: "author" },
    },
  };
};

const prefixed = (resource: string, calls: Record<string, FixedCall>) =>
  Object.fromEntries(Object.entries(calls).map(([operation, call]) => [`${resource}.${operation}`, call]));

export const wordpress: Service = {
  base: "https://<your-site>/wp-json/wp/v2",
  needs: "an application password (HTTP user name and password), and write the site’s address",
  usual: { resource: "post", operation: "create" },
  calls: {
    ...prefixed("post", wordpressOf("/posts", "postId")),
    ...prefixed("page", wordpressOf("/pages", "pageId")),
    "user.getAll": { method: "GET", url: "/users", limit: "per_page", rest: ["options"], style: "snake" },
    "user.get": { method: "GET", url: "/users/{userId}" },
  },
};

const repository = (work: NodeWork) => `/repos/${segment(work, "owner")}/${segment(work, "repository")}`;
const contents = (work: NodeWork) => `${repository(work)}/contents/${pathSegments(work, "filePath")}`;

/** n8n's lists of `{ label: … }`. */
const plucked = (work: NodeWork, value: Json | undefined, name: string): Json | undefined =>
  Array.isArray(value)
    ? value.map((one) => work.template(isJsonObject(one) ? (one[name] ?? "") : one))
    : listOf(work, value);

const read =
  (path: (work: NodeWork) => string, groups: readonly string[] = []): AppMapper =>
  (work) => {
    const query: JsonObject = {};
    for (const group of groups) {
      const found = work.node.parameters.find([group]).value;
      for (const name of isJsonObject(found) ? Object.keys(found) : []) {
        const value = given(work, group, name);
        if (value !== undefined) query[name === "reference" ? "ref" : name] = value;
      }
    }
    const paged = work.at("returnAll") !== undefined || work.at("limit") !== undefined;
    return {
      method: "GET",
      path: path(work),
      query: { ...query, ...(paged ? { per_page: work.flag("returnAll") ? 100 : (given(work, "limit") ?? 50) } : {}) },
    };
  };

/** A file in base64; to change one, GitHub wants its sha, which is read first. */
const writeFile =
  (changes: boolean): AppMapper =>
  (work): AppRequest | Made => {
    if (work.flag("binaryData"))
      return unsaid("It writes a file of the run, which the import does not map. An HTTP request can send it.");
    if (changes && !work.inFlow) {
      work.drop("operation", "The model gives the file’s sha.");
    }
    const keeps = changes && work.inFlow;
    if (keeps) work.keepInput();
    const more = given(work, "additionalParameters", "branch", "branch");
    const person = (name: string) => {
      const who = present({
        name: given(work, "additionalParameters", name, "name"),
        email: given(work, "additionalParameters", name, "email"),
      });
      return Object.keys(who).length === 0 ? undefined : who;
    };
    const request: AppRequest = {
      method: "PUT",
      path: contents(work),
      body: present({
        message: given(work, "commitMessage"),
        content: `{{encodeBase64(text(${expressionOf(work.textOf(work.at("fileContent")))}))}}`,
        branch: more,
        author: person("author"),
        committer: person("committer"),
        sha: !changes
          ? undefined
          : keeps
            ? "{{json.sha}}"
            : '{{ai("sha", "The sha of the file, from reading it", "string")}}',
      }),
    };
    if (!keeps)
      return { ...request, ...(changes ? { note: "The model gives the file’s sha, which n8n looks up." } : {}) };
    const found = work.step("file");
    const reading: AppRequest = { method: "GET", path: request.path, query: present({ ref: more }) };
    return {
      type: "http-request",
      before: [requestStep(found, github, reading)],
      config: {
        result: "body",
        onError: work.node.onError === "continue" ? "continue" : "fail",
        ...requestConfig(github, request),
      },
      outcome: "approximated",
      note: "It reads the file first, for its sha.",
      needs: github.needs,
    };
  };

/** GitHub's API (docs.github.com/rest). */
export const github: Service = {
  base: "https://api.github.com",
  connector: "github",
  needs: "a GitHub token",
  headers: { Accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28" },
  usual: {
    resource: "issue",
    operation: "create",
    operations: {
      file: "create",
      repository: "getIssues",
      user: "getRepositories",
      release: "create",
      review: "getAll",
      organization: "getRepositories",
      workflow: "dispatch",
    },
  },
  calls: {
    "issue.create": (work) => ({
      method: "POST",
      path: `${repository(work)}/issues`,
      body: present({
        title: given(work, "title"),
        body: given(work, "body"),
        labels: plucked(work, work.at("labels"), "label"),
        assignees: plucked(work, work.at("assignees"), "assignee"),
      }),
    }),
    "issue.get": read((work) => `${repository(work)}/issues/${segment(work, "issueNumber")}`),
    "issue.edit": (work) => ({
      method: "PATCH",
      path: `${repository(work)}/issues/${segment(work, "issueNumber")}`,
      body: present({
        title: given(work, "editFields", "title"),
        body: given(work, "editFields", "body"),
        state: given(work, "editFields", "state"),
        state_reason: given(work, "editFields", "state_reason"),
        labels: plucked(work, work.at("editFields", "labels"), "label"),
        assignees: plucked(work, work.at("editFields", "assignees"), "assignee"),
      }),
    }),
    "issue.createComment": (work) => ({
      method: "POST",
      path: `${repository(work)}/issues/${segment(work, "issueNumber")}/comments`,
      body: present({ body: given(work, "body") }),
    }),
    "issue.lock": (work) => ({
      method: "PUT",
      path: `${repository(work)}/issues/${segment(work, "issueNumber")}/lock`,
      body: present({ lock_reason: given(work, "lockReason") }),
    }),
    "repository.get": read(repository),
    "repository.getIssues": read((work) => `${repository(work)}/issues`, ["getRepositoryIssuesFilters"]),
    "repository.getPullRequests": read((work) => `${repository(work)}/pulls`, ["getRepositoryPullRequestsFilters"]),
    "repository.getLicense": read((work) => `${repository(work)}/license`),
    "repository.getProfile": read((work) => `${repository(work)}/community/profile`),
    "file.get": read(contents, ["additionalParameters"]),
    "file.list": read(contents, ["additionalParameters"]),
    "file.create": writeFile(false),
    "file.edit": writeFile(true),
    "release.create": {
      method: "POST",
      url: "/repos/{owner}/{repository}/releases",
      body: { tag_name: "releaseTag" },
      rest: ["additionalFields"],
    },
    "release.get": read((work) => `${repository(work)}/releases/${segment(work, "release_id")}`),
    "release.getAll": read((work) => `${repository(work)}/releases`),
    "user.getRepositories": read((work) => `/users/${segment(work, "owner")}/repos`),
    "user.getUserIssues": read(() => "/issues", ["getUserIssuesFilters"]),
    "organization.getRepositories": read((work) => `/orgs/${segment(work, "owner")}/repos`),
    "workflow.dispatch": (work) => ({
      method: "POST",
      path: `${repository(work)}/actions/workflows/${segment(work, "workflowId")}/dispatches`,
      body: present({ ref: given(work, "ref"), inputs: jsonOf(work, work.at("inputs")) }),
    }),
    "workflow.list": read((work) => `${repository(work)}/actions/workflows`),
  },
};

/** Messages of Teams (learn.microsoft.com/graph/api/chatmessage-post). */
const teamsMessage =
  (path: (work: NodeWork) => string): AppMapper =>
  (work) => {
    work.drop(["options", "includeLinkToWorkflow"], "A line about n8n at the end of the message.");
    const content = given(work, "message") ?? "";
    const kind = work.word("contentType") || work.word("messageType", "text");
    return {
      method: "POST",
      path: path(work),
      body: { body: { contentType: kind === "html" ? "html" : "text", content } },
    };
  };

export const microsoftTeams: Service = {
  base: "https://graph.microsoft.com/v1.0",
  needs: "a Microsoft sign-in for Teams (OAuth 2.0)",
  usual: {
    resource: "channel",
    operation: "create",
    operations: { channelMessage: "create", chatMessage: "create", channel: "create", task: "create" },
  },
  calls: {
    "channelMessage.create": teamsMessage(
      (work) => `/teams/${segment(work, "teamId")}/channels/${segment(work, "channelId")}/messages`,
    ),
    "channelMessage.getAll": {
      method: "GET",
      url: "/teams/{teamId}/channels/{channelId}/messages",
      limit: "$top",
      items: "value",
    },
    "chatMessage.create": teamsMessage((work) => `/chats/${segment(work, "chatId")}/messages`),
    "chatMessage.getAll": { method: "GET", url: "/chats/{chatId}/messages", limit: "$top", items: "value" },
    "channel.getAll": { method: "GET", url: "/teams/{teamId}/channels", items: "value" },
  },
};

/** Questions in GraphQL, whose variables n8n keeps as JSON. */
export const graphql: Service = {
  base: "",
  needs: "",
  calls: {
    ".": (work): AppRequest | Made => {
      const headers = Object.fromEntries(
        work.list("headerParametersUi", "parameter").map(({ name, value }) => [work.textOf(name), work.textOf(value)]),
      );
      work.drop("requestFormat", "The question goes out as JSON, which every server takes.");
      work.drop("responseFormat", "The answer is read as it comes.");
      return {
        method: "POST",
        path: work.textOf(work.at("endpoint")),
        headers,
        body: present({
          query: templated(work, work.at("query")),
          operationName: given(work, "operationName"),
          variables: jsonOf(work, work.at("variables")),
        }),
      };
    },
  },
};

/** Items of a board (developer.monday.com/api-reference). */
const monday =
  (query: string, variables: (work: NodeWork) => Readonly<Record<string, Json | undefined>>): AppMapper =>
  (work) => ({
    method: "POST",
    path: "https://api.monday.com/v2",
    body: { query, variables: present(variables(work)) },
  });

const id = (work: NodeWork, name: string) => templated(work, work.at(name));

export const mondayCom: Service = {
  base: "https://api.monday.com/v2",
  needs: "a monday.com token (HTTP header Authorization)",
  usual: {
    resource: "board",
    operation: "create",
    operations: { boardItem: "create", board: "create", boardGroup: "create" },
  },
  calls: {
    "boardItem.create": monday(
      "mutation ($board: ID!, $group: String, $name: String!, $values: JSON) { create_item(board_id: $board, group_id: $group, item_name: $name, column_values: $values) { id } }",
      (work) => ({
        board: id(work, "boardId"),
        group: id(work, "groupId"),
        name: id(work, "name"),
        values: given(work, "additionalFields", "columnValues"),
      }),
    ),
    "boardItem.get": monday(
      "query ($ids: [ID!]) { items(ids: $ids) { id name column_values { id text value } } }",
      (work) => ({ ids: listOf(work, work.at("itemId")) }),
    ),
    "boardItem.getAll": monday(
      "query ($board: [ID!], $limit: Int) { boards(ids: $board) { items_page(limit: $limit) { items { id name column_values { id text value } } } } }",
      (work) => {
        work.drop("groupId", "All groups of the board are read.");
        return {
          board: [id(work, "boardId") ?? ""],
          limit: work.flag("returnAll") ? 500 : (given(work, "limit") ?? 50),
        };
      },
    ),
    "boardItem.delete": monday("mutation ($item: ID!) { delete_item(item_id: $item) { id } }", (work) => ({
      item: id(work, "itemId"),
    })),
    "boardItem.addUpdate": monday(
      "mutation ($item: ID!, $body: String!) { create_update(item_id: $item, body: $body) { id } }",
      (work) => ({
        item: id(work, "itemId"),
        body: id(work, "value"),
      }),
    ),
    "boardItem.changeColumnValue": monday(
      "mutation ($board: ID!, $item: ID!, $column: String!, $value: JSON!) { change_column_value(board_id: $board, item_id: $item, column_id: $column, value: $value) { id } }",
      (work) => ({
        board: id(work, "boardId"),
        item: id(work, "itemId"),
        column: id(work, "columnId"),
        value: id(work, "value"),
      }),
    ),
    "board.get": monday(
      "query ($board: [ID!]) { boards(ids: $board) { id name description columns { id title type } groups { id title } } }",
      (work) => ({ board: [id(work, "boardId") ?? ""] }),
    ),
    "board.getAll": monday("query ($limit: Int) { boards(limit: $limit) { id name } }", (work) => ({
      limit: work.flag("returnAll") ? 500 : (given(work, "limit") ?? 50),
    })),
  },
};
