import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import type { Made } from "../made.ts";
import type { NodeWork } from "../node-work.ts";
import type { Service } from "../services.ts";
import {
  type AppMapper,
  type AppRequest,
  given,
  isGiven,
  listOf,
  present,
  presentTexts,
  segment,
  templated,
  unsaid,
} from "./request.ts";

const issueOf = (work: NodeWork) => `/issue/${segment(work, "issueKey")}`;

/** Fields of an issue, which Jira has as objects with their ids (developer.atlassian.com/cloud/jira/platform/rest/v2). */
function fieldsOf(work: NodeWork, group: "additionalFields" | "updateFields"): JsonObject {
  const at = (name: string) =>
    group === "updateFields" || work.at(name) === undefined ? work.at(group, name) : work.at(name);
  const id = (name: string) => {
    const value = templated(work, at(name));
    return value === undefined ? undefined : { id: value };
  };
  const custom = [
    ...work.list(group, "customFieldsUi", "customFieldsValues"),
    ...work.list("additionalFields", "customFieldsUi", "customFieldsValues").filter(() => group === "updateFields"),
  ];
  const parent = given(work, group, "parentIssueKey");
  const components = listOf(work, work.at(group, "componentIds"));
  return {
    ...present({
      summary: templated(work, at("summary")),
      project: id("project"),
      issuetype: id("issueType"),
      description: given(work, group, "description"),
      priority: id("priority"),
      assignee: id("assignee"),
      reporter: id("reporter"),
      labels: listOf(work, work.at(group, "labels")),
      duedate: given(work, group, "dueDate"),
      parent: parent === undefined ? undefined : { key: parent },
      components: Array.isArray(components) ? components.map((one) => ({ id: one })) : undefined,
    }),
    ...Object.fromEntries(
      custom.map(({ fieldId, fieldValue }) => [
        work.textOf(fieldId),
        isJsonObject(fieldValue) ? work.template(fieldValue) : work.template(fieldValue ?? null),
      ]),
    ),
  };
}

const update: AppMapper = (work): AppRequest | Made => {
  const fields = fieldsOf(work, "updateFields");
  const state = given(work, "updateFields", "statusId");
  if (state === undefined) return { method: "PUT", path: issueOf(work), body: { fields } };
  const { project: _project, ...others } = fields;
  return Object.keys(others).length > 0
    ? unsaid("It changes fields and the status, which are two requests of Jira.")
    : { method: "POST", path: `${issueOf(work)}/transitions`, body: { transition: { id: state } } };
};

const search: AppMapper = (work) => {
  const all = work.flag("returnAll");
  const fields = listOf(work, work.at("options", "fields"));
  return {
    method: "GET",
    path: "/search/jql",
    query: present({
      // Jira searches nothing without a condition.
      jql: given(work, "options", "jql") ?? "created >= -3650d ORDER BY created DESC",
      maxResults: all ? 100 : (given(work, "limit") ?? 50),
      fields: (Array.isArray(fields) ? fields.join(",") : fields) ?? "*navigable",
      expand: given(work, "options", "expand"),
    }),
    paging: { parameter: "nextPageToken", next: "nextPageToken", items: "issues", all },
  };
};

const comment: AppMapper = (work) => {
  const visible = given(work, "options", "commentVisibility");
  const json = work.at("jsonParameters") === true ? given(work, "commentJson") : undefined;
  return {
    method: "POST",
    path: `${issueOf(work)}/comment`,
    body: present({ body: json ?? given(work, "comment"), visibility: visible }),
    ...(json === undefined ? {} : { note: "The comment’s JSON is sent as text." }),
  };
};

const read =
  (
    path: (work: NodeWork) => string,
    more: (work: NodeWork) => Readonly<Record<string, Json | undefined>> = () => ({}),
  ): AppMapper =>
  (work) => ({ method: "GET", path: path(work), query: presentTexts(more(work)) });

/** Jira Cloud's API in its version 2, whose texts are texts (developer.atlassian.com/cloud/jira/platform/rest/v2). */
export const jira: Service = {
  base: "https://<your-site>.atlassian.net/rest/api/2",
  connector: "jira",
  needs: "an email address and API token of Jira, and write the site’s name into the address",
  usual: {
    resource: "issue",
    operation: "create",
    operations: { issue: "create", issueAttachment: "add", issueComment: "add", user: "get" },
  },
  calls: {
    "issue.create": (work) => ({
      method: "POST",
      path: "/issue",
      body: { fields: fieldsOf(work, "additionalFields") },
    }),
    "issue.get": read(issueOf, (work) => ({
      fields: given(work, "additionalFields", "fields"),
      expand: given(work, "additionalFields", "expand"),
    })),
    "issue.getAll": search,
    "issue.update": update,
    "issue.delete": (work) => ({
      method: "DELETE",
      path: issueOf(work),
      query: { deleteSubtasks: String(work.flag("deleteSubtasks")) },
    }),
    "issue.changelog": read((work) => `${issueOf(work)}/changelog`),
    "issue.transitions": read((work) => `${issueOf(work)}/transitions`),
    "issueComment.add": comment,
    "issueComment.get": read((work) => `${issueOf(work)}/comment/${segment(work, "commentId")}`),
    "issueComment.getAll": read(
      (work) => `${issueOf(work)}/comment`,
      (work) => ({ maxResults: work.flag("returnAll") ? 5_000 : (given(work, "limit") ?? 50) }),
    ),
    "issueComment.remove": (work) => ({
      method: "DELETE",
      path: `${issueOf(work)}/comment/${segment(work, "commentId")}`,
    }),
    "issueComment.update": (work) => ({
      method: "PUT",
      path: `${issueOf(work)}/comment/${segment(work, "commentId")}`,
      body: present({ body: given(work, "comment") }),
    }),
    "issueAttachment.add": (work) => ({
      method: "POST",
      path: `${issueOf(work)}/attachments`,
      headers: { "X-Atlassian-Token": "no-check" },
      parts: { file: work.file("binaryPropertyName") },
    }),
    "issueAttachment.get": read((work) => `/attachment/${segment(work, "attachmentId")}`),
    "issueAttachment.getAll": read(issueOf, () => ({ fields: "attachment" })),
    "user.get": read(
      () => "/user",
      (work) => ({ accountId: given(work, isGiven(work, "accountId") ? "accountId" : "username") }),
    ),
  },
};
