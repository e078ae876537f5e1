import type { DoorRoute } from "../../_shared/door.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import { readFileLink } from "../../_shared/files/file-link.ts";
import { createFileStorage } from "../../_shared/files/file-storage.ts";
import { serveFile } from "../../_shared/files/serve-file.ts";

/**
 * `GET /api/files/<link>`: the bytes of a file of a run, or the part that `Range` asks for, for whoever has a link that has not ended. Throws DoorProblem, 404, for a
 * link that never was or has ended and for a file that is gone, which nobody can tell apart.
 */
const linkedFileRoute: DoorRoute = {
  method: "GET",
  path: "/api/files/:link",
  async handle(call, context) {
    const link = await readFileLink(call.params["link"] ?? "", context.environment);
    const storage = createFileStorage(context);
    const answer = link && (await serveFile(call.request, storage, { run: link.run }, link.file));
    if (!answer) throw new DoorProblem(problems.notFound("file"));
    // Pages of other origins show it, such as a chat page in its sandbox.
    call.setHeader("cross-origin-resource-policy", "cross-origin");
    call.setHeader("x-robots-tag", "noindex, nofollow");
    return answer;
  },
};

export const fileRoutes: readonly DoorRoute[] = [linkedFileRoute];
