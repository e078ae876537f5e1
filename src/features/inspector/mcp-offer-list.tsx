import { type ReactNode, useState } from "react";
import type { RunErrorData } from "../../engine/errors.ts";
import { showHidden } from "../../nodes/tools/mcp/hidden-text.ts";
import { LoadMore } from "../../ui/feedback/load-more.tsx";
import { LongText } from "../../ui/data/long-text.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";

/** How many entries are shown at once. */
const pageSize = 20;
/** From this many on there is a search. */
const searchedFrom = 8;

interface Offer {
  id: string;
  name: string;
  /** Its address, or what it takes. */
  detail: string;
  description: string;
  action: ReactNode;
}

/** Something that a server has, in its own words: hidden characters are shown. */
export function OfferItem({ name, detail, description, action }: Omit<Offer, "id">) {
  const title = showHidden(name);
  const address = showHidden(detail);
  return (
    <li className="flex flex-col gap-1 rounded-md border p-2">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 text-xs font-semibold wrap-anywhere">{title}</span>
        {action}
      </div>
      {address !== "" && address !== title && (
        <span className="font-mono text-xs wrap-anywhere text-muted">{address}</span>
      )}
      {description !== "" && <LongText text={showHidden(description)} className="text-xs text-muted" first={400} />}
    </li>
  );
}

/** What a server has of one kind: searched where it is much, and shown in pages. */
export function OfferList({ what, offers }: { what: string; offers: readonly Offer[] }) {
  const [search, setSearch] = useState("");
  const [most, setMost] = useState(pageSize);
  const wanted = search.trim().toLowerCase();
  const found = offers.filter(({ name, detail, description }) =>
    `${name}\n${detail}\n${description}`.toLowerCase().includes(wanted),
  );
  const shown = found.slice(0, most);
  return (
    <>
      {offers.length >= searchedFrom && (
        <SearchField
          what={what}
          value={search}
          onChange={(text) => {
            setSearch(text);
            setMost(pageSize);
          }}
        />
      )}
      {found.length === 0 && wanted !== "" && <p className="text-xs text-muted">None of the {what} has this text.</p>}
      {shown.length > 0 && (
        <ul className="flex flex-col gap-1.5" aria-label={`The server's ${what}`}>
          {shown.map(({ id, ...offer }) => (
            <OfferItem key={id} {...offer} />
          ))}
        </ul>
      )}
      <LoadMore
        shown={shown.length}
        total={found.length}
        what={what}
        busy={false}
        onMore={shown.length < found.length ? () => setMost(most + pageSize) : undefined}
      />
    </>
  );
}

/** Why there is nothing to choose from; nothing where there is. */
export function NoOffers({
  what,
  isListed,
  count,
  problem,
}: {
  what: string;
  isListed: boolean;
  count: number;
  problem: RunErrorData | undefined;
}) {
  if (!isListed) return <p className="text-xs text-muted">List the server's tools to choose from its {what}.</p>;
  if (problem) {
    return (
      <Notice tone="warning" title={`The server did not list its ${what}: ${problem.message}`}>
        {problem.hint}
      </Notice>
    );
  }
  return count === 0 ? <p className="text-xs text-muted">The server has no {what}.</p> : null;
}
