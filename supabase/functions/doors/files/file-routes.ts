import type { DoorRoute } from "../../_shared/door.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import { readFileLink } from "../../_shared/files/file-link.ts";
import { respondFile } from "../../_shared/files/file-response.ts";
import { createFileStorage } from "../../_shared/files/file-storage.ts";

/**
 * `GET /api/files/<link>`: the bytes of a file of a run, for whoever has a link that has not ended. Throws DoorProblem, 404, for a
 * link that never was or has ended and for a file that is gone, which nobody can tell apart.
 */
const linkedFileRoute: DoorRoute = {
  method: "GET",
  path: "/api/files/:link",
  async handle(call, context) {
    const link = await readFileLink(call.params["link"] ?? "", context.environment);
    const opened = link && (await createFileStorage(context).open({ run: link.run }, link.file, call.request.signal));
    if (!opened) throw new DoorProblem(problems.notFound("file"));
    // Pages of other origins show it, such as a chat page in its sandbox.
    call.setHeader("cross-origin-resource-policy", "cross-origin");
    call.setHeader("x-robots-tag", "noindex, nofollow");
    return respondFile(opened);
  },
};

export const fileRoutes: readonly DoorRoute[] = [linkedFileRoute];
