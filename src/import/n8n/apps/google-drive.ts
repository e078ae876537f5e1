import type { Json, JsonObject } from "../../../engine/json.ts";
import type { Step } from "../made.ts";
import type { NodeWork } from "../node-work.ts";
import { requestConfig, requestStep, type Service } from "../services.ts";
import {
  type AppMapper,
  type AppRequest,
  cel,
  given,
  idOf,
  isGiven,
  listOf,
  present,
  templated,
  unsaid,
} from "./request.ts";

const idPattern = "(?:/d/|/folders/|[?&]id=)([\\w-]{10,})";
const fileOf = (work: NodeWork) => `/files/${idOf(work, idPattern, "fileId")}`;
const plainId = (work: NodeWork, ...path: string[]) => decodeURIComponent(idOf(work, idPattern, ...path));

/** Without this, Google does not find what is in shared drives. */
const everywhere = { supportsAllDrives: "true" };

/** The folder that something goes into: the one that is chosen, or the shared drive's first. */
function parentOf(work: NodeWork): string | undefined {
  work.drop(["options", "simplifyOutput"], "The answer has Google’s form.");
  if (isGiven(work, "folderId")) work.drop("driveId", "The folder says where.");
  if (work.word("driveId") === "My Drive") work.drop("driveId", "What belongs to no shared drive is in one’s own.");
  if (isGiven(work, "folderId")) {
    const folder = plainId(work, "folderId");
    if (folder !== "root") return folder;
    if (!isGiven(work, "driveId") || work.word("driveId") === "My Drive") return "root";
  }
  const drive = given(work, "driveId");
  return drive === undefined || drive === "My Drive" ? undefined : String(drive);
}

const download: AppMapper = (work) => ({
  method: "GET",
  path: fileOf(work),
  query: { alt: "media", ...everywhere },
  note: "A file that is text comes as text. For documents of Google, use its export to a format.",
});

/** A text of n8n's form of a search within quotes. */
function quotedText(work: NodeWork, value: Json | undefined): string {
  if (!work.isExpression(value)) return work.textOf(value).replace(/(['\\])/g, "\\$1");
  return `{{replacePattern(text(${cel(work, value)}), "(['\\\\\\\\])", "\\\\$1", "g")}}`;
}

/** n8n's filters as a query of Drive (developers.google.com/workspace/drive/api/guides/search-files). */
const search: AppMapper = (work) => {
  const parts: string[] = [];
  const raw = work.at("queryString");
  const byQuery = work.word("searchMethod", "name") === "query";
  if (raw !== undefined && raw !== "") {
    parts.push(byQuery ? work.textOf(raw) : `name contains '${quotedText(work, raw)}'`);
  }
  if (isGiven(work, "filter", "folderId")) {
    const folder = plainId(work, "filter", "folderId");
    parts.push(`'${folder}' in parents`);
  }
  const what = work.word(["filter", "whatToSearch"], "all");
  const types = listOf(work, work.at("filter", "fileTypes"));
  if (what === "folders") parts.push("mimeType = 'application/vnd.google-apps.folder'");
  if (what === "files") {
    if (Array.isArray(types) && types.length > 0 && !types.includes("*"))
      parts.push(`(${types.map((type) => `mimeType = '${String(type)}'`).join(" or ")})`);
    else parts.push("mimeType != 'application/vnd.google-apps.folder'");
  }
  if (!byQuery || parts.length > 1 || raw === undefined)
    if (!work.flag(["filter", "includeTrashed"])) parts.push("trashed = false");
  const drive = given(work, "filter", "driveId");
  const isOwn = drive === undefined || drive === "My Drive";
  const fields = listOf(work, work.at("options", "fields"));
  const all = work.flag("returnAll");
  const wanted =
    Array.isArray(fields) && !fields.includes("*") ? fields.join(", ") : fields === undefined ? "id, name" : "*";
  return {
    method: "GET",
    path: "/files",
    query: {
      ...present({
        q: parts.length === 0 ? undefined : parts.join(" and "),
        pageSize: all ? 1_000 : (templated(work, work.at("limit")) ?? 50),
        fields: `nextPageToken, files(${wanted})`,
        driveId: isOwn ? undefined : drive,
        corpora: isOwn ? undefined : "drive",
      }),
      includeItemsFromAllDrives: "true",
      ...everywhere,
    },
    paging: { parameter: "pageToken", next: "nextPageToken", items: "files", all },
  };
};

/** A new file with text in it, in one request of two parts (developers.google.com/workspace/drive/api/guides/manage-uploads). */
const createFromText: AppMapper = (work) => {
  const parent = parentOf(work);
  const name = work.textOf(work.at("name")) || "Untitled";
  const isDocument = work.flag(["options", "convertToGoogleDocument"]);
  const metadata = {
    name: "{{name}}",
    ...(isDocument ? { mimeType: "application/vnd.google-apps.document" } : {}),
    ...(parent === undefined ? {} : { parents: ["{{parent}}"] }),
  };
  const json = JSON.stringify(metadata)
    .replace("{{name}}", name.includes("{{") ? name : JSON.stringify(name).slice(1, -1))
    .replace("{{parent}}", parent ?? "");
  const border = "switchyard_part";
  return {
    method: "POST",
    path: "https://www.googleapis.com/upload/drive/v3/files",
    query: { uploadType: "multipart", ...everywhere },
    headers: { "Content-Type": `multipart/related; boundary=${border}` },
    body: [
      `--${border}`,
      "Content-Type: application/json; charset=UTF-8",
      "",
      json,
      `--${border}`,
      "Content-Type: text/plain; charset=UTF-8",
      "",
      work.textOf(work.at("content")),
      `--${border}--`,
      "",
    ].join("\r\n"),
  };
};

/** The bytes first, without a name, and then the name and the folder (developers.google.com/workspace/drive/api/guides/manage-uploads). */
const upload: AppMapper = (work) => {
  if (work.node.version < 3 && work.at("binaryData") === false)
    return unsaid("It writes a text as a file. Make one with “Make a file”, and send that.");
  if (!work.inFlow) return unsaid("It uploads a file, and an agent’s tool gets none: make it a step of the flow.");
  const sent: AppRequest = {
    method: "POST",
    path: "https://www.googleapis.com/upload/drive/v3/files",
    query: { uploadType: "media", ...everywhere },
    body: work.file(work.at("inputDataFieldName") === undefined ? "binaryPropertyName" : "inputDataFieldName"),
  };
  const bytes = work.step("upload");
  const input = work.keepInput();
  const parent = parentOf(work);
  return {
    type: "http-request",
    before: [requestStep(bytes, googleDrive, sent)],
    config: {
      result: "body",
      onError: work.node.onError === "continue" ? "continue" : "fail",
      ...requestConfig(googleDrive, {
        method: "PATCH",
        path: "/files/{{json.id}}",
        query: { ...everywhere, ...(parent === undefined ? {} : { addParents: parent, removeParents: "root" }) },
        body: { name: given(work, "name") ?? `{{firstFile(${input.path}).name}}` },
      }),
    },
    outcome: "approximated",
    note: "It uploads the file first, and then says its name and folder.",
    needs: googleDrive.needs,
  };
};

const move: AppMapper = (work) => ({
  method: "PATCH",
  path: fileOf(work),
  query: { addParents: parentOf(work) ?? "root", ...everywhere },
  body: {},
  note: "Google takes it out of its former folder by itself.",
});

const copy: AppMapper = (work) => {
  const same = work.at("sameFolder") !== false;
  const parent = same ? undefined : parentOf(work);
  return {
    method: "POST",
    path: `${fileOf(work)}/copy`,
    query: everywhere,
    body: present({
      name: given(work, "name"),
      description: given(work, "options", "description"),
      copyRequiresWriterPermission: work.flag(["options", "copyRequiresWriterPermission"]) || undefined,
      parents: parent === undefined ? undefined : [parent],
    }),
  };
};

const update: AppMapper = (work) => {
  const replaces = work.flag("changeFileContent");
  if (replaces && !work.inFlow)
    return unsaid("It uploads a file, and an agent’s tool gets none: make it a step of the flow.");
  const before = replaces ? [contentStep(work)] : undefined;
  const trash = work.flag(["options", "moveToTrash"]);
  return {
    method: "PATCH",
    path: fileOf(work),
    query: everywhere,
    body: present({ name: given(work, "newUpdatedFileName"), trashed: trash || undefined }),
    ...(before === undefined ? {} : { before, note: "It sends the content first, and then changes the name." }),
  };
};

/** Other bytes for a file, before what is said about it. */
function contentStep(work: NodeWork): Step {
  work.keepInput();
  const sent: AppRequest = {
    method: "PATCH",
    path: `https://www.googleapis.com/upload/drive/v3${fileOf(work)}`,
    query: { uploadType: "media", ...everywhere },
    body: work.file(work.at("inputDataFieldName") === undefined ? "binaryPropertyName" : "inputDataFieldName"),
  };
  return requestStep(work.step("content"), googleDrive, sent);
}

/** Away for good, or into the bin. */
const remove =
  (name: "fileId" | "folderNoRootId"): AppMapper =>
  (work) => {
    const path = `/files/${idOf(work, idPattern, isGiven(work, name) ? name : "fileId")}`;
    return work.flag(["options", "deletePermanently"]) || work.node.version < 3
      ? { method: "DELETE", path, query: everywhere }
      : { method: "PATCH", path, query: everywhere, body: { trashed: true } };
  };

const share =
  (name: "fileId" | "folderNoRootId"): AppMapper =>
  (work) => {
    const values = work.at("permissionsUi", "permissionsValues");
    const permission = (key: string) =>
      given(work, "permissionsUi", "permissionsValues", key) ??
      (Array.isArray(values) ? templated(work, (values as JsonObject[])[0]?.[key]) : undefined);
    const mail = given(work, "options", "emailMessage");
    const silent = work.at("options", "sendNotificationEmail") === false;
    return {
      method: "POST",
      path: `/files/${idOf(work, idPattern, isGiven(work, name) ? name : "fileId")}/permissions`,
      query: {
        ...everywhere,
        ...present({
          emailMessage: mail,
          sendNotificationEmail: silent ? "false" : undefined,
          transferOwnership: work.flag(["options", "transferOwnership"]) ? "true" : undefined,
        }),
      },
      body: present({
        role: permission("role") ?? "reader",
        type: permission("type") ?? "user",
        emailAddress: permission("emailAddress"),
        domain: permission("domain"),
        allowFileDiscovery: permission("allowFileDiscovery"),
      }),
    };
  };

const createFolder: AppMapper = (work) => {
  const parent = parentOf(work);
  const old = listOf(work, work.at("parents"));
  return {
    method: "POST",
    path: "/files",
    query: everywhere,
    body: {
      name: work.textOf(work.at("name")) || "Untitled",
      mimeType: "application/vnd.google-apps.folder",
      ...present({
        parents: parent === undefined ? old : [parent],
        folderColorRgb: given(work, "options", "folderColorRgb"),
      }),
    },
  };
};

/** Google Drive's API (developers.google.com/workspace/drive/api/reference/rest/v3). */
export const googleDrive: Service = {
  base: "https://www.googleapis.com/drive/v3",
  connector: "google-drive",
  needs: "a Google sign-in",
  usual: {
    resource: "file",
    operation: "upload",
    operations: { file: "upload", fileFolder: "search", folder: "create", drive: "create" },
  },
  calls: {
    "file.upload": upload,
    "file.download": download,
    "file.createFromText": createFromText,
    "file.move": move,
    "file.copy": copy,
    "file.update": update,
    "file.deleteFile": remove("fileId"),
    "file.delete": remove("fileId"),
    "file.share": share("fileId"),
    "file.list": search,
    "file.get": (work) => ({ method: "GET", path: fileOf(work), query: { fields: "*", ...everywhere } }),
    "fileFolder.search": search,
    "folder.create": createFolder,
    "folder.createFolder": createFolder,
    "folder.deleteFolder": remove("folderNoRootId"),
    "folder.share": share("folderNoRootId"),
    "folder.list": search,
    "drive.create": (work) => ({
      method: "POST",
      path: "/drives",
      query: { requestId: "{{run.id}}" },
      body: { name: work.textOf(work.at("name")) },
    }),
    "drive.list": (work) => ({
      method: "GET",
      path: "/drives",
      query: present({
        pageSize: work.flag("returnAll") ? 100 : (given(work, "limit") ?? 50),
        q: given(work, "options", "q"),
      }),
      paging: { parameter: "pageToken", next: "nextPageToken", items: "drives", all: work.flag("returnAll") },
    }),
    "drive.get": (work) => ({ method: "GET", path: `/drives/${idOf(work, idPattern, "driveId")}` }),
    "drive.deleteDrive": (work) => ({ method: "DELETE", path: `/drives/${idOf(work, idPattern, "driveId")}` }),
  },
};
