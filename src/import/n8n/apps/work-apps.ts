import { isJsonObject, type Json } from "../../../engine/json.ts";
import type { Service } from "../services.ts";
import { type AppMapper, given, listOf, present, segment, unsaid } from "./request.ts";

/** Tasks of ClickUp (developer.clickup.com/reference). */
const clickUpFields =
  (group: "additionalFields" | "updateFields"): AppMapper =>
  (work) => {
    const field = (name: string) => given(work, group, name);
    for (const name of ["team", "space", "folder", "folderless"]) work.drop(name, "The list says where.");
    const custom = work.at(group, "customFieldsJson");
    const isNew = group === "additionalFields";
    const assignees = listOf(work, work.at(group, "assignees"));
    return {
      method: isNew ? "POST" : "PUT",
      path: isNew ? `/list/${segment(work, "list")}/task` : `/task/${segment(work, "id")}`,
      body: present({
        name: isNew ? given(work, "name") : field("name"),
        description: field("content") ?? field("description"),
        markdown_description: field("markdownContent"),
        status: field("status"),
        priority: field("priority"),
        due_date: field("dueDate"),
        due_date_time: field("dueDateTime"),
        start_date: field("startDate") ?? field("startDateTime"),
        time_estimate: field("timeEstimate"),
        parent: field("parentId"),
        notify_all: field("notifyAll"),
        tags: listOf(work, work.at(group, "tags")),
        assignees: isNew ? assignees : undefined,
        custom_fields: custom === undefined || custom === "" ? undefined : work.template(custom),
      }),
    };
  };

export const clickUp: Service = {
  base: "https://api.clickup.com/api/v2",
  needs: "a ClickUp token (HTTP header Authorization)",
  usual: { resource: "task", operation: "create" },
  calls: {
    "task.create": clickUpFields("additionalFields"),
    "task.update": clickUpFields("updateFields"),
    "task.get": { method: "GET", url: "/task/{id}" },
    "task.getAll": {
      method: "GET",
      url: "/list/{list}/task",
      items: "tasks",
      rest: ["filters"],
      style: "snake",
      unused: ["team", "space", "folder", "folderless"],
    },
    "task.delete": { method: "DELETE", url: "/task/{id}" },
    "list.getAll": { method: "GET", url: "/folder/{folder}/list", items: "lists" },
    "folder.getAll": { method: "GET", url: "/space/{space}/folder", items: "folders", unused: ["team"] },
    "comment.create": {
      method: "POST",
      url: "/task/{id}/comment",
      body: { comment_text: "commentText" },
      rest: ["additionalFields"],
      style: "snake",
    },
  },
};

/** Tasks of Todoist (developer.todoist.com/rest/v2). */
export const todoist: Service = {
  base: "https://api.todoist.com/rest/v2",
  needs: "a token of Todoist (HTTP bearer)",
  usual: { resource: "task", operation: "create" },
  calls: {
    "task.create": {
      method: "POST",
      url: "/tasks",
      body: { content: "content", project_id: "project", labels: "labels" },
      rest: ["options"],
      style: "snake",
      names: { section: "section_id", parentId: "parent_id", dueDateTime: "due_datetime" },
    },
    "task.update": {
      method: "POST",
      url: "/tasks/{taskId}",
      rest: ["updateFields"],
      style: "snake",
      names: { dueDateTime: "due_datetime" },
    },
    "task.get": { method: "GET", url: "/tasks/{taskId}" },
    "task.getAll": { method: "GET", url: "/tasks", rest: ["filters"], style: "snake", unused: ["returnAll", "limit"] },
    "task.close": { method: "POST", url: "/tasks/{taskId}/close" },
    "task.reopen": { method: "POST", url: "/tasks/{taskId}/reopen" },
    "task.delete": { method: "DELETE", url: "/tasks/{taskId}" },
  },
};

/** Asana (developers.asana.com/reference). */
export const asana: Service = {
  base: "https://app.asana.com/api/1.0",
  needs: "a token of Asana (HTTP bearer)",
  usual: { resource: "task", operation: "create" },
  calls: {
    "task.create": {
      method: "POST",
      url: "/tasks",
      body: { name: "name", workspace: "workspace" },
      rest: ["otherProperties"],
      style: "snake",
      within: "data",
    },
    "task.update": { method: "PUT", url: "/tasks/{id}", rest: ["otherProperties"], style: "snake", within: "data" },
    "task.get": { method: "GET", url: "/tasks/{id}" },
    "task.getAll": { method: "GET", url: "/tasks", limit: "limit", items: "data", rest: ["filters"], style: "snake" },
    "task.delete": { method: "DELETE", url: "/tasks/{id}" },
    "project.getAll": {
      method: "GET",
      url: "/projects",
      query: { workspace: "workspace" },
      limit: "limit",
      items: "data",
    },
    "project.get": { method: "GET", url: "/projects/{id}" },
    "taskComment.add": { method: "POST", url: "/tasks/{id}/stories", body: { text: "text" }, within: "data" },
  },
};

/** n8n's own API (docs.n8n.io/api). */
export const n8n: Service = {
  base: "https://<your-host>/api/v1",
  needs: "a key of the n8n server (HTTP header X-N8N-API-KEY), and write its address",
  usual: {
    resource: "workflow",
    operation: "getAll",
    operations: { workflow: "getAll", execution: "getAll", credential: "create" },
  },
  calls: {
    "workflow.getAll": {
      method: "GET",
      url: "/workflows",
      limit: "limit",
      items: "data",
      rest: ["filters"],
      names: { activeWorkflows: "active" },
    },
    "workflow.get": { method: "GET", url: "/workflows/{workflowId}" },
    "workflow.activate": { method: "POST", url: "/workflows/{workflowId}/activate" },
    "workflow.deactivate": { method: "POST", url: "/workflows/{workflowId}/deactivate" },
    "workflow.delete": { method: "DELETE", url: "/workflows/{workflowId}" },
    "workflow.create": (work) => ({ method: "POST", path: "/workflows", body: given(work, "workflowObject") ?? {} }),
    "workflow.update": (work) => ({
      method: "PUT",
      path: `/workflows/${segment(work, "workflowId")}`,
      body: given(work, "workflowObject") ?? {},
    }),
    "execution.getAll": { method: "GET", url: "/executions", limit: "limit", items: "data", rest: ["filters"] },
    "execution.get": { method: "GET", url: "/executions/{executionId}" },
    "execution.delete": { method: "DELETE", url: "/executions/{executionId}" },
  },
};

/** Posts of Mattermost (developers.mattermost.com/api-documentation). */
const mattermostPost: AppMapper = (work) => {
  if (work.list("attachments").length > 0)
    return unsaid("It has attachments, whose form there is no request for here yet.");
  const props = work.at("otherOptions", "make_comment");
  return {
    method: "POST",
    path: "/posts",
    body: present({
      channel_id: given(work, "channelId"),
      message: given(work, "message"),
      root_id: isJsonObject(props) ? undefined : given(work, "otherOptions", "make_comment"),
    }),
  };
};

export const mattermost: Service = {
  base: "https://<your-host>/api/v4",
  needs: "a token of Mattermost (HTTP bearer), and write the server’s address",
  usual: { resource: "message", operation: "post" },
  calls: {
    "message.post": mattermostPost,
    "message.delete": { method: "DELETE", url: "/posts/{postId}" },
    "channel.addUser": { method: "POST", url: "/channels/{channelId}/members", body: { user_id: "userId" } },
    "channel.create": {
      method: "POST",
      url: "/channels",
      body: { team_id: "teamId", display_name: "displayName", name: "channel", type: "type" },
    },
    "user.getAll": { method: "GET", url: "/users" },
    "user.getByEmail": { method: "GET", url: "/users/email/{email}" },
  },
};

/** Films of YouTube (developers.google.com/youtube/v3/docs). */
const part = (work: Parameters<AppMapper>[0], usual: string): Json => {
  const list = listOf(work, work.at("part"));
  return Array.isArray(list) && !list.includes("*") ? list.join(",") : usual;
};

export const youTube: Service = {
  base: "https://www.googleapis.com/youtube/v3",
  needs: "a Google sign-in for YouTube (OAuth 2.0)",
  usual: {
    resource: "channel",
    operation: "getAll",
    operations: { video: "getAll", playlist: "getAll", playlistItem: "getAll", channel: "getAll" },
  },
  calls: {
    "video.getAll": (work) => ({
      method: "GET",
      path: "/search",
      query: {
        part: "snippet",
        type: "video",
        maxResults: given(work, "limit") ?? 25,
        ...present(
          Object.fromEntries(
            [
              "channelId",
              "forDeveloper",
              "publishedAfter",
              "publishedBefore",
              "q",
              "regionCode",
              "relatedToVideoId",
              "videoCategoryId",
              "videoSyndicated",
              "videoType",
            ].map((name) => [name, given(work, "filters", name)]),
          ),
        ),
        ...present({ order: given(work, "options", "order"), safeSearch: given(work, "options", "safeSearch") }),
      },
      paging: { parameter: "pageToken", next: "nextPageToken", items: "items", all: work.flag("returnAll") },
    }),
    "video.get": (work) => ({
      method: "GET",
      path: "/videos",
      query: {
        id: work.textOf(work.at("videoId")),
        part: part(work, "snippet,contentDetails,statistics,status,player"),
      },
    }),
    "video.delete": (work) => ({ method: "DELETE", path: "/videos", query: { id: work.textOf(work.at("videoId")) } }),
    "video.rate": (work) => ({
      method: "POST",
      path: "/videos/rate",
      query: { id: work.textOf(work.at("videoId")), rating: work.textOf(work.at("rating")) },
    }),
    "video.upload": () => unsaid("It uploads a film, which the import does not map. An HTTP request can send it."),
    "video.update": (work) => ({
      method: "PUT",
      path: "/videos",
      query: { part: "snippet,status" },
      body: {
        id: work.textOf(work.at("videoId")),
        snippet: present({
          title: given(work, "title"),
          categoryId: given(work, "categoryId"),
          description: given(work, "updateFields", "description"),
          tags: listOf(work, work.at("updateFields", "tags")),
          defaultLanguage: given(work, "updateFields", "defaultLanguage"),
        }),
        status: present({
          privacyStatus: given(work, "updateFields", "privacyStatus"),
          embeddable: given(work, "updateFields", "embeddable"),
        }),
      },
    }),
    "playlist.create": (work) => ({
      method: "POST",
      path: "/playlists",
      query: { part: "snippet,status" },
      body: {
        snippet: present({
          title: given(work, "title"),
          description: given(work, "options", "description"),
          tags: listOf(work, work.at("options", "tags")),
        }),
        status: present({ privacyStatus: given(work, "options", "privacyStatus") }),
      },
    }),
    "playlist.delete": (work) => ({
      method: "DELETE",
      path: "/playlists",
      query: { id: work.textOf(work.at("playlistId")) },
    }),
    "playlistItem.add": (work) => ({
      method: "POST",
      path: "/playlistItems",
      query: { part: "snippet" },
      body: {
        snippet: present({
          playlistId: given(work, "playlistId"),
          resourceId: { kind: "youtube#video", videoId: given(work, "videoId") ?? "" },
          position: given(work, "options", "position"),
        }),
      },
    }),
    "playlistItem.getAll": (work) => ({
      method: "GET",
      path: "/playlistItems",
      query: {
        playlistId: work.textOf(work.at("playlistId")),
        part: part(work, "snippet,contentDetails"),
        maxResults: given(work, "limit") ?? 25,
      },
      paging: { parameter: "pageToken", next: "nextPageToken", items: "items", all: work.flag("returnAll") },
    }),
    "channel.get": (work) => ({
      method: "GET",
      path: "/channels",
      query: { id: work.textOf(work.at("channelId")), part: part(work, "snippet,contentDetails,statistics") },
    }),
    "channel.getAll": (work) => ({
      method: "GET",
      path: "/channels",
      query: {
        part: part(work, "snippet,contentDetails,statistics"),
        maxResults: given(work, "limit") ?? 25,
        ...present({
          forUsername: given(work, "filters", "forUsername"),
          id: given(work, "filters", "id"),
          mine: work.node.parameters.find(["filters"]).value === undefined ? "true" : given(work, "filters", "mine"),
        }),
      },
      paging: { parameter: "pageToken", next: "nextPageToken", items: "items", all: work.flag("returnAll") },
    }),
  },
};

/** Spans that n8n names. */
const spans: Readonly<Record<string, readonly [string, string]>> = {
  last7days: ["7daysAgo", "today"],
  last30days: ["30daysAgo", "today"],
  today: ["today", "today"],
  yesterday: ["yesterday", "yesterday"],
};

/** Reports of Google Analytics 4 (developers.google.com/analytics/devguides/reporting/data/v1). */
const report: AppMapper = (work) => {
  if (work.word("propertyType", "ga4") !== "ga4") return unsaid("Universal Analytics has ended.");
  const span = work.word("dateRange", "last7days");
  const fixed = spans[span];
  if (span !== "custom" && !fixed) return unsaid(`Write the days for “${span}”.`);
  const named = (rows: readonly Record<string, Json>[], usual: string) =>
    rows.map((row) => {
      const listed = String(row.listName ?? usual);
      return listed === "other" || listed === "custom" ? { name: work.textOf(row.name ?? "") } : { name: listed };
    });
  const day = (name: string) => {
    const value = given(work, name);
    return typeof value === "string" && value.startsWith("{{") && value.indexOf("{{", 2) === -1
      ? `{{formatDate(date(${value.slice(2, -2)}), "yyyy-MM-dd")}}`
      : String(value ?? "7daysAgo").slice(0, 10);
  };
  const all = work.flag("returnAll");
  work.drop("simple", "The answer has Google’s form.");
  return {
    method: "POST",
    path: `/properties/${segment(work, "propertyId")}:runReport`,
    body: {
      dateRanges: [
        fixed ? { startDate: fixed[0], endDate: fixed[1] } : { startDate: day("startDate"), endDate: day("endDate") },
      ],
      metrics: named(work.list("metricsGA4", "metricValues"), "totalUsers"),
      dimensions: named(work.list("dimensionsGA4", "dimensionValues"), "date"),
      limit: all ? 100_000 : (given(work, "limit") ?? 50),
      ...present({
        currencyCode: given(work, "additionalFields", "currencyCode"),
        keepEmptyRows: given(work, "additionalFields", "keepEmptyRows"),
      }),
    },
    note: "The values come in “rows”, by their place in Google’s lists of dimensions and metrics.",
  };
};

export const googleAnalytics: Service = {
  base: "https://analyticsdata.googleapis.com/v1beta",
  needs: "a Google sign-in for Analytics (OAuth 2.0)",
  usual: { resource: "report", operation: "get" },
  calls: { "report.get": report },
};

/** Tasks of Google (developers.google.com/workspace/tasks/reference/rest). */
export const googleTasks: Service = {
  base: "https://tasks.googleapis.com/tasks/v1",
  needs: "a Google sign-in for Tasks (OAuth 2.0)",
  usual: { resource: "task", operation: "create" },
  calls: {
    "task.create": {
      method: "POST",
      url: "/lists/{task}/tasks",
      body: { title: "title" },
      rest: ["additionalFields"],
      names: { dueDate: "due" },
    },
    "task.update": {
      method: "PATCH",
      url: "/lists/{task}/tasks/{taskId}",
      rest: ["updateFields"],
      names: { dueDate: "due" },
    },
    "task.get": { method: "GET", url: "/lists/{task}/tasks/{taskId}" },
    "task.getAll": { method: "GET", url: "/lists/{task}/tasks", limit: "maxResults", rest: ["additionalFields"] },
    "task.delete": { method: "DELETE", url: "/lists/{task}/tasks/{taskId}" },
  },
};

/** Tasks of Microsoft (learn.microsoft.com/graph/api/resources/todo-overview). */
export const microsoftToDo: Service = {
  base: "https://graph.microsoft.com/v1.0/me/todo/lists",
  needs: "a Microsoft sign-in for To Do (OAuth 2.0)",
  usual: { resource: "task", operation: "getAll" },
  calls: {
    "task.create": { method: "POST", url: "/{taskListId}/tasks", body: { title: "title" }, rest: ["additionalFields"] },
    "task.update": { method: "PATCH", url: "/{taskListId}/tasks/{taskId}", rest: ["updateFields"] },
    "task.get": { method: "GET", url: "/{taskListId}/tasks/{taskId}" },
    "task.getAll": { method: "GET", url: "/{taskListId}/tasks", limit: "$top", items: "value" },
    "task.delete": { method: "DELETE", url: "/{taskListId}/tasks/{taskId}" },
    "list.getAll": { method: "GET", url: "", limit: "$top", items: "value" },
    "list.create": { method: "POST", url: "", body: { displayName: "displayName" } },
  },
};

/** Files of OneDrive (learn.microsoft.com/graph/api/resources/onedrive). */
export const microsoftOneDrive: Service = {
  base: "https://graph.microsoft.com/v1.0/me/drive",
  needs: "a Microsoft sign-in for OneDrive (OAuth 2.0)",
  usual: { resource: "file", operation: "upload", operations: { file: "upload", folder: "getChildren" } },
  calls: {
    "file.download": {
      method: "GET",
      url: "/items/{fileId}/content",
      note: "A file comes as text, as far as it is text.",
    },
    "file.get": { method: "GET", url: "/items/{fileId}" },
    "file.search": { method: "GET", url: "/root/search(q='{query}')", items: "value" },
    "file.delete": { method: "DELETE", url: "/items/{fileId}" },
    "file.rename": { method: "PATCH", url: "/items/{itemId}", body: { name: "newName" } },
    "file.share": { method: "POST", url: "/items/{fileId}/createLink", body: { type: "type", scope: "scope" } },
    "folder.create": (work) => ({
      method: "POST",
      path:
        given(work, "options", "parentFolderId") === undefined
          ? "/root/children"
          : `/items/${segment(work, "options", "parentFolderId")}/children`,
      body: { name: work.textOf(work.at("name")), folder: {} },
    }),
    "folder.getChildren": { method: "GET", url: "/items/{folderId}/children", items: "value" },
    "folder.search": { method: "GET", url: "/root/search(q='{query}')", items: "value" },
    "folder.delete": { method: "DELETE", url: "/items/{folderId}" },
    "file.upload": (work) =>
      work.flag("binaryData")
        ? {
            method: "PUT",
            path: `/items/${segment(work, "parentId")}:/${segment(work, "fileName")}:/content`,
            body: work.file("binaryPropertyName"),
          }
        : {
            method: "PUT",
            path: `/items/${segment(work, "parentId")}:/${segment(work, "fileName")}:/content`,
            headers: { "Content-Type": "text/plain" },
            body: work.textOf(work.at("fileContent")),
          },
  },
};
