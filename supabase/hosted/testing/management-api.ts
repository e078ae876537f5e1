import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod/mini";

/** A function as the CLI uploaded it. */
export interface UploadedFunction {
  slug: string;
  /** Bytes of its source. */
  bytes: number;
  /** By their path from the project's folder. */
  files: Map<string, string>;
  entrypoint: string;
  verifyJwt: boolean;
}

export interface ManagementApi {
  /** The settings with which the CLI calls it in the place of Supabase's own, for `--profile`. */
  profile: string;
  uploaded: UploadedFunction[];
  stop(): Promise<void>;
}

const metadataSchema = z.object({ entrypoint_path: z.string(), verify_jwt: z.boolean() });
const id = "00000000-0000-4000-8000-000000000000";

/**
 * As much of https://api.supabase.com as `supabase functions deploy --use-api` asks for, on loopback: it takes uploads and says that
 * they are deployed. All else gets 404.
 */
export async function startManagementApi(): Promise<ManagementApi> {
  const uploaded: UploadedFunction[] = [];
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { pathname, searchParams } = new URL(request.url ?? "", "http://api");
    if (!/^\/v1\/projects\/\w+\/functions/.test(pathname)) return undefined;
    if (pathname.endsWith("/functions/deploy")) {
      const slug = searchParams.get("slug") ?? "";
      uploaded.push(await readUpload(slug, body, request.headers["content-type"] ?? ""));
      const known = { id, slug, name: slug, status: "ACTIVE", version: 1, created_at: 1, updated_at: 1 };
      return { ...known, verify_jwt: false, import_map: false, entrypoint_path: "index.js" };
    }
    return request.method === "PUT" ? { functions: [] } : [];
  };
  const server = createServer((request, response) => {
    void answer(request).then((found) => {
      const status = found === undefined ? 404 : request.method === "POST" ? 201 : 200;
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(found ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    profile: `name: stand-in\napi_url: ${url}\ndashboard_url: ${url}\ndocs_url: ${url}\nproject_host: localhost\npooler_host: localhost\n`,
    uploaded,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readUpload(slug: string, body: Buffer, type: string): Promise<UploadedFunction> {
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const metadata = form.get("metadata");
  const { entrypoint_path, verify_jwt } = metadataSchema.parse(
    JSON.parse(typeof metadata === "string" ? metadata : ((await metadata?.text()) ?? "")),
  );
  const files = new Map<string, string>();
  let bytes = 0;
  for (const file of form.getAll("file")) {
    if (typeof file === "string") throw new Error("A file of the upload is none.");
    files.set(file.name, await file.text());
    bytes += file.size;
  }
  return { slug, bytes, files, entrypoint: entrypoint_path, verifyJwt: verify_jwt };
}
