import { useRef, useState } from "react";
import type { SlotProps } from "../../forms/control-props.ts";
import { longestUri, mostResources } from "../../nodes/tools/mcp/pin-limits.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { NoOffers, OfferItem, OfferList } from "./mcp-offer-list.tsx";
import { useMcpListing } from "./use-mcp-listing.ts";
import { isEnter } from "../../ui/fields/composing.ts";
import { SlotGroup } from "./slot-group.tsx";

/** A part of a template's address that is still to be filled in. */
const openPart = /\{[^{}]*\}/;

/** Chooses which of a server's resources an agent reads at its start; kept by address. */
export function McpResourcesSlot({ field, value, onChange, control, config }: SlotProps) {
  const { listed } = useMcpListing(config);
  const [address, setAddress] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const { resources = [], templates = [] } = listed?.offers ?? {};
  const known = new Map(resources.map((resource) => [resource.uri, resource]));
  const isFull = chosen.length >= mostResources;
  const add = (uri: string) => onChange([...chosen, uri]);
  const typed = address.trim();
  const isOpen = openPart.test(typed);
  const canAdd = typed !== "" && !isOpen && !isFull;
  // Where a server has templates, it need not list what they lead to.
  const canBeGone = listed?.offers !== undefined && templates.length === 0;

  function addTyped() {
    if (!chosen.includes(typed)) add(typed);
    setAddress("");
  }

  return (
    <SlotGroup field={field} control={control}>
      {chosen.length > 0 && (
        <ul className="flex flex-col gap-1.5" aria-label="Chosen resources">
          {chosen.map((uri) => (
            <OfferItem
              key={uri}
              name={known.get(uri)?.name || uri}
              detail={uri}
              description=""
              action={
                <>
                  {canBeGone && !known.has(uri) && <Badge tone="warning">no longer there</Badge>}
                  <IconButton
                    size="sm"
                    icon="x"
                    label={`Remove ${uri}`}
                    onClick={() => onChange(chosen.filter((each) => each !== uri))}
                  />
                </>
              }
            />
          ))}
        </ul>
      )}
      <NoOffers
        what="resources"
        isListed={listed !== undefined}
        count={resources.length + templates.length}
        problem={listed?.problem}
      />
      <OfferList
        what="resources"
        offers={[
          ...resources
            .filter(({ uri }) => !chosen.includes(uri))
            .map(({ uri, name, description }) => ({
              id: uri,
              name: name || uri,
              detail: uri,
              description,
              action: (
                <Button size="sm" aria-label={`Add ${name || uri}`} disabled={isFull} onClick={() => add(uri)}>
                  Add
                </Button>
              ),
            })),
          ...templates.map(({ uriTemplate, name, description }) => ({
            id: uriTemplate,
            name: name || uriTemplate,
            detail: uriTemplate,
            description,
            action: (
              <Button
                size="sm"
                variant="ghost"
                aria-label={`Fill in ${name || uriTemplate}`}
                disabled={isFull}
                onClick={() => {
                  setAddress(uriTemplate);
                  input.current?.focus();
                }}
              >
                Fill in
              </Button>
            ),
          })),
        ]}
      />
      {templates.length > 0 && (
        <div className="flex flex-col gap-1">
          <div className="flex items-center gap-1.5">
            <Input
              ref={input}
              mono
              size="sm"
              value={address}
              maxLength={longestUri}
              aria-label="Address of a resource"
              placeholder="Address of a resource"
              onChange={(event) => setAddress(event.target.value)}
              onKeyDown={(event) => {
                if (isEnter(event) && canAdd) addTyped();
              }}
            />
            <Button size="sm" disabled={!canAdd} aria-label="Add this address" onClick={addTyped}>
              Add
            </Button>
          </div>
          {isOpen && <p className="text-xs text-muted">Replace the parts in braces.</p>}
        </div>
      )}
      {isFull && <p className="text-xs text-muted">An agent reads at most {mostResources} resources at its start.</p>}
    </SlotGroup>
  );
}
