import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);

/**
 * Files that read JSON with doubles for all numbers, each because the text is the studio's own, or because no number in it is
 * more than a count, a time or a measure. Whatever else comes from outside is read by `readJson`, `parseJson` or
 * `parseLosslessJson` (`src/engine/json.ts`, `src/engine/lossless-json.ts`), which keep the digits of large integers.
 */
const plain: Record<string, readonly string[]> = {
  "the parser itself": ["src/engine/lossless-json.ts"],
  "a copy, or text that was made a line before": [
    "src/import/index.ts",
    "src/import/keep-report.ts",
    "src/import/read-text.ts",
    "src/engine/template/functions/list-functions.ts",
    "src/features/editor/collection-problems.ts",
    "src/features/tests/suite-diff.ts",
    "src/state/conversation/storage/redis-conversations.ts",
    "src/nodes/memories/redis-memory.ts",
  ],
  "only whether it is JSON": ["src/engine/agent/tool-call/call-tools.ts", "src/forms/json-control.tsx"],
  "what the studio wrote and stored itself": [
    "cli/evaluate/answer-cache.ts",
    "cli/evaluate/cassettes.ts",
    "cli/evaluate/journal.ts",
    "cli/headless/memory-file.ts",
    "src/documents/scan/installed-scans.ts",
    "cli/headless/run-files.ts",
    "supabase/local/backup/backup-manifest.ts",
    "supabase/local/backup/last-backup.ts",
    "worker/signing-key.ts",
    "worker/studio-keys.ts",
    "cli/operator/open-studio.ts",
    "src/app/pages/example-suites.ts",
    "src/state/document/local-drafts.ts",
    "src/state/shared/stored.ts",
    "src/chat-page/page-surroundings.ts",
    "src/engine/in-memory/memory-store.ts",
    "src/engine/memory/scratchpad.ts",
    "src/state/conversation/storage/conversation-seal.ts",
    "src/state/account/storage/guest-account.ts",
    "src/nodes/memories/rolling-summary.ts",
    "src/nodes/tools/mcp/tool-pin.ts",
    "src/providers/demo/judge-text.ts",
    "src/state/run/breakpoint-store.ts",
    "supabase/functions/_shared/credential-store.ts",
    "supabase/functions/_shared/function-environment.ts",
    "supabase/functions/mcp-sign-in/pending-sign-in.ts",
    "scripts/models.ts",
    "scripts/schema.ts",
    "supabase/local/database/instance-lock.ts",
    "supabase/local/database/keys.ts",
    "supabase/local/database/leftover-process.ts",
    "supabase/local/http/open-doors.ts",
    "supabase/local/database/postgres/column-types.ts",
  ],
  "between the studio's own parts, where large integers are texts already": [
    "worker/watch-api.ts",
    "cli/knowledge/documents-client.ts",
    "cli/operator/remote-runs.ts",
    "cli/deploy/function-bundles.ts",
    "cli/doctor/project-checks.ts",
    "src/features/mcp-app/app-frame.tsx",
    "src/features/mcp-app/port-transport.ts",
    "src/state/account/storage/storage-service.ts",
    "src/state/file/storage/file-store.ts",
    "src/chat-page/chat-client.ts",
    "src/widget/button-looks.ts",
    "src/state/shared/storage/call-edge-function.ts",
    "src/state/shared/storage/database-pause.ts",
    "src/state/account/storage/delete-account.ts",
    "src/state/shared/storage/function-client.ts",
    "src/host/sandbox/answers.ts",
    "src/host/sandbox/console.ts",
    "src/host/sandbox/file-work.ts",
    "src/host/sandbox/intl-code.ts",
    "src/host/sandbox/run-code.ts",
    "src/state/account/storage/sign-in-methods.ts",
    "src/state/shared/storage/stopped-functions.ts",
    "src/ui/files/send-bytes.ts",
    "src/nodes/tools/mcp/mcp-fetch.ts",
    "src/share-page/read-shared.ts",
    "supabase/functions/_shared/files/file-storage.ts",
    "supabase/functions/_shared/live-news-reader.ts",
    "supabase/functions/_shared/read-body.ts",
    "supabase/functions/_shared/postgres-client.ts",
    "supabase/functions/_shared/supabase-client.ts",
    "supabase/functions/doors/chat/visitor.ts",
    "supabase/local/auth/account-changes.ts",
    "supabase/local/auth/password-reset.ts",
    "supabase/local/auth/password-sign-in.ts",
    "supabase/local/rest/postgrest-answer.ts",
    "supabase/local/http/routes.ts",
    "supabase/local/functions/service-calls.ts",
    "supabase/local/auth/session-renewal.ts",
    "supabase/local/auth/sign-up.ts",
    "supabase/local/auth/token-reader.ts",
  ],
  "counts, times and measures alone": [
    "cli/ocr/with-packages.ts",
    "scripts/models/source-models.ts",
    "src/providers/anthropic/list-models.ts",
    "src/providers/gemini/embed-texts.ts",
    "src/providers/gemini/list-models.ts",
    "src/providers/openai/embed-texts.ts",
    "src/providers/openai/list-models.ts",
    "src/providers/openai/transcribe.ts",
    "src/providers/rerank/rerank-texts.ts",
    "supabase/functions/_shared/oauth/client-tokens.ts",
    "supabase/functions/send-traces/handler.ts",
  ],
  "text alone: a document of an editor": ["src/import/dify/flow-nodes.ts"],
  "code that is written for others": [
    "src/export/function-code.ts",
    "src/export/helper-code.ts",
    "src/export/targets/ai-sdk.ts",
    "src/export/targets/openai-agents.ts",
    "src/import/expressions/functions.ts",
    "src/features/doors/api/snippets.ts",
  ],
};

/** Whether code, but for its comments, parses JSON by itself: `JSON.parse`, or the body of a request or an answer. */
function parses(code: string): boolean {
  return /\bJSON\.parse\b|(?<!\bz)\.json\(\)/.test(code.replace(/^\s*(?:\/\/|\/?\*).*$/gm, ""));
}

it("only named files read JSON in a way that rounds large integers", () => {
  const found = ["src", "supabase", "worker", "cli", "scripts"].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
      .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\/|\/node_modules\/|\/\.temp\//.test(file))
      .filter((file) => parses(readFileSync(new URL(file, root), "utf8"))),
  );
  expect(found.toSorted()).toEqual(Object.values(plain).flat().toSorted());
});
