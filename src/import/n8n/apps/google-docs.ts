import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import type { Made } from "../made.ts";
import type { NodeWork } from "../node-work.ts";
import { requestStep, type Service } from "../services.ts";
import { type AppMapper, type AppRequest, given, idOf, isGiven, present, templated, unsaid } from "./request.ts";

const documentOf = (work: NodeWork) => {
  const value = work.at("documentURL");
  if (!work.isExpression(value)) return `/documents/${idOf(work, "/d/([\\w-]{15,})", "documentURL")}`;
  const code = work.textOf(value);
  const inner = /^\{\{([^]*)\}\}$/.exec(code)?.[1];
  return `/documents/${inner === undefined || !work.inFlow ? code : `{{replacePattern(text(${inner}), "^.*?/d/([\\\\w-]+).*$", "$1")}}`}`;
};

/** Where something goes: an index, or the end of the body or of a part. */
function placeOf(row: JsonObject, work: NodeWork): JsonObject {
  const segment: JsonObject =
    row.segmentId !== undefined && row.segmentId !== "" && row.insertSegment !== "body"
      ? { segmentId: work.textOf(row.segmentId) }
      : {};
  return row.locationChoice === "location"
    ? { location: { ...segment, index: templated(work, row.index) ?? 1 } }
    : { endOfSegmentLocation: segment };
}

const range = (row: JsonObject, work: NodeWork): JsonObject => ({
  startIndex: templated(work, row.startIndex) ?? 1,
  endIndex: templated(work, row.endIndex) ?? 1,
});

/** One of n8n's actions as a request of Google (developers.google.com/workspace/docs/api/reference/rest/v1/documents/request). */
function actionOf(work: NodeWork, row: JsonObject): JsonObject | undefined {
  const object = String(row.object ?? "text");
  const action = String(row.action ?? "");
  switch (`${object}.${action}`) {
    case "text.insert":
      return { insertText: { text: work.textOf(row.text), ...placeOf(row, work) } };
    case "text.replaceAll":
      return {
        replaceAllText: {
          replaceText: work.textOf(row.replaceText),
          containsText: { text: work.textOf(row.text), matchCase: row.matchCase === true },
        },
      };
    case "pageBreak.insert":
      return { insertPageBreak: placeOf(row, work) };
    case "table.insert":
      return {
        insertTable: {
          rows: templated(work, row.rows) ?? 1,
          columns: templated(work, row.columns) ?? 1,
          ...placeOf(row, work),
        },
      };
    case "paragraphBullets.create":
      return {
        createParagraphBullets: {
          bulletPreset: row.bulletPreset ?? "BULLET_DISC_CIRCLE_SQUARE",
          range: range(row, work),
        },
      };
    case "paragraphBullets.delete":
      return { deleteParagraphBullets: { range: range(row, work) } };
    case "namedRange.create":
      return { createNamedRange: { name: work.textOf(row.name), range: range(row, work) } };
    default:
      return undefined;
  }
}

const update: AppMapper = (work): AppRequest | Made => {
  const made = work.list("actionsUi", "actionFields").map((row) => actionOf(work, row));
  const unknown = made.findIndex((one) => one === undefined);
  if (unknown >= 0) return unsaid(`Its action ${unknown + 1} has no request here yet.`);
  const control = work.at("updateFields", "writeControlObject");
  const revision = isJsonObject(control) ? templated(work, control.value) : undefined;
  const kind = isJsonObject(control) ? String(control.control ?? "requiredRevisionId") : "";
  return {
    method: "POST",
    path: `${documentOf(work)}:batchUpdate`,
    body: {
      requests: made.filter((one) => one !== undefined),
      ...(revision === undefined ? {} : { writeControl: { [kind]: revision } }),
    },
  };
};

/** A new document; in a folder it is a file of Drive. */
const create: AppMapper = (work): AppRequest => {
  const title: Json = given(work, "title") ?? "Untitled";
  const folder = work.word("folderId") === "default" ? undefined : given(work, "folderId");
  const drive = given(work, "driveId");
  const parent = folder ?? (drive === undefined || drive === "myDrive" || drive === "sharedWithMe" ? undefined : drive);
  if (folder !== undefined && isGiven(work, "driveId")) work.drop("driveId", "The folder says where.");
  return {
    method: "POST",
    path: "https://www.googleapis.com/drive/v3/files",
    query: { supportsAllDrives: "true" },
    body: {
      name: title,
      mimeType: "application/vnd.google-apps.document",
      ...present({ parents: parent === undefined ? undefined : [parent] }),
    },
  };
};

/** Text of a document: its pieces one after the other. */
const asText = `const pieces = [];
const walk = (list) => { for (const one of list ?? []) {
  for (const element of one.paragraph?.elements ?? []) pieces.push(element.textRun?.content ?? "");
  for (const row of one.table?.tableRows ?? []) for (const cell of row.tableCells ?? []) walk(cell.content);
} };
walk(json.body?.content);
return { documentId: json.documentId, content: pieces.join("") };`;

const get: AppMapper = (work): AppRequest | Made => {
  const request: AppRequest = { method: "GET", path: documentOf(work) };
  if (work.at("simple") === false || !work.inFlow) return request;
  const found = work.step("document");
  return {
    type: "code",
    before: [requestStep(found, googleDocs, request)],
    config: { code: asText, onError: work.node.onError === "continue" ? "continue" : "fail" },
    outcome: "approximated",
    note: "A request reads the document, and code puts its text together.",
    needs: googleDocs.needs,
  };
};

/** Google's API of documents (developers.google.com/workspace/docs/api/reference/rest). */
export const googleDocs: Service = {
  base: "https://docs.googleapis.com/v1",
  needs: "a Google sign-in for Docs and Drive (OAuth 2.0)",
  usual: { resource: "document", operation: "create" },
  calls: { "document.create": create, "document.get": get, "document.update": update },
};
