import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { toolsThatAsk } from "../../engine/publish/door-exposure.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { useServices } from "../../services/services-context.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";

/** Live versions from before callers were told apart, each with the tools that will ask; nothing where there are none. */
export function UnmarkedVersions() {
  const { publications } = useServices();
  const { data = [] } = useQuery({
    queryKey: ["unmarked-versions"],
    queryFn: async () => {
      const found = await publications.unmarkedLive();
      const listed = await Promise.all(
        found.map(async ({ workflowId, slug, version }) => {
          const document = await publications.document(workflowId, version);
          return { workflowId, slug, tools: toolsThatAsk(document, nodeRegistry).map(({ title }) => title) };
        }),
      );
      return listed.filter(({ tools }) => tools.length > 0);
    },
  });
  if (data.length === 0) return null;
  return (
    <Notice tone="warning" title="Callers will count as strangers">
      <p>
        Visitors of a chat page do already. From the next version on, these tools ask you first after what any caller
        sends. Publish a new version of the workflow, or apply it to the live one in its Publish dialog.
      </p>
      <ul className="list-disc pl-5">
        {data.map(({ workflowId, slug, tools }) => (
          <li key={workflowId}>
            <Link href={`/w/${workflowId}`} className="text-accent underline">
              {slug}
            </Link>
            : {tools.join(", ")}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
