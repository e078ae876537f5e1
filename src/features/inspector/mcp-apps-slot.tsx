import { isJsonObject } from "../../engine/json.ts";
import type { SlotProps } from "../../forms/control-props.ts";
import { hostsText } from "../../nodes/tools/mcp/app-hosts.ts";
import { showHidden } from "../../nodes/tools/mcp/hidden-text.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { type ListedApp, useMcpListing } from "./use-mcp-listing.ts";
import { SlotGroup } from "./slot-group.tsx";

/** What was accepted, by the interface's address. */
function acceptedIn(value: unknown): Record<string, string> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([uri, hosts]) => [uri, String(hosts)]));
}

function AppItem({
  app,
  accepted,
  onChange,
}: {
  app: ListedApp;
  accepted: string | undefined;
  onChange(hosts: string | undefined): void;
}) {
  const { uri, document, problem } = app;
  const wanted = document ? hostsText(document.asked) : "";
  const isAccepted = wanted !== "" && wanted === accepted;
  return (
    <li className="flex flex-col gap-1 rounded-md border p-2 text-xs">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 font-mono font-semibold wrap-anywhere">{showHidden(uri)}</span>
        {wanted !== "" && (
          <Badge tone={isAccepted ? "success" : accepted === undefined ? "neutral" : "warning"}>
            {isAccepted ? "accepted" : accepted === undefined ? "not accepted" : "changed"}
          </Badge>
        )}
        {wanted !== "" && (
          <Button
            size="sm"
            variant={isAccepted ? "ghost" : "secondary"}
            aria-label={`${isAccepted ? "Withdraw" : "Accept"} the hosts of ${uri}`}
            onClick={() => onChange(isAccepted ? undefined : wanted)}
          >
            {isAccepted ? "Withdraw" : "Accept"}
          </Button>
        )}
      </div>
      {problem && <p className="text-warning wrap-anywhere">{problem.message}</p>}
      {document && wanted === "" && (
        <p className="text-muted">Asks for no hosts, so it reaches nothing on the internet.</p>
      )}
      {document && document.asked.connect.length > 0 && (
        <p className="wrap-anywhere">Sends data to and reads from: {document.asked.connect.join(", ")}</p>
      )}
      {document && document.asked.resource.length > 0 && (
        <p className="wrap-anywhere">Loads scripts, styles and pictures from: {document.asked.resource.join(", ")}</p>
      )}
      {wanted !== "" && accepted !== undefined && !isAccepted && (
        <p className="text-muted wrap-anywhere">Accepted before: {accepted.split("\n").join(", ")}</p>
      )}
      {document && document.unusable.length > 0 && (
        <p className="text-warning wrap-anywhere">
          Left out, since these name no host: {document.unusable.map(showHidden).join(", ")}
        </p>
      )}
    </li>
  );
}

/** The interfaces of the server's tools with the hosts that each asks for, which a person accepts all together or not at all. */
export function McpAppsSlot({ field, value, onChange, control, config }: SlotProps) {
  const { listed } = useMcpListing(config);
  const accepted = acceptedIn(value);
  const change = (uri: string, hosts: string | undefined) => {
    const { [uri]: _before, ...others } = accepted;
    onChange(hosts === undefined ? others : { ...others, [uri]: hosts });
  };
  const count = Object.keys(accepted).length;
  return (
    <SlotGroup field={field} control={control}>
      {listed === undefined && (
        <p className="text-xs text-muted">
          {count === 0
            ? "Nothing is accepted."
            : `Accepted for ${count === 1 ? "1 interface" : `${count} interfaces`}.`}{" "}
          List the server's tools to see what their interfaces ask for.
        </p>
      )}
      {listed?.apps.length === 0 && <p className="text-xs text-muted">The tools of this server have no interfaces.</p>}
      <ul className="flex flex-col gap-1.5 empty:hidden">
        {listed?.apps.map((app) => (
          <AppItem
            key={app.uri}
            app={app}
            accepted={Object.hasOwn(accepted, app.uri) ? accepted[app.uri] : undefined}
            onChange={(hosts) => change(app.uri, hosts)}
          />
        ))}
      </ul>
    </SlotGroup>
  );
}
