import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CountedPage, CredentialSummary, PageRequest, WorkflowSummary } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { credentialLabel } from "../credential/credential-label.ts";
import { useSettled } from "./use-pages.ts";

/** Options that a select offers at once; of more, a search finds the others. */
const mostOffered = 100;

interface ChoicesOptions<Row> {
  queryKey: readonly unknown[];
  read: (request: PageRequest) => Promise<CountedPage<Row>>;
  /** Reads the chosen one, which may be far down the list. */
  find: (id: string) => Promise<Row | undefined>;
  /** Empty where nothing is chosen. */
  chosenId: string;
  enabled?: boolean;
}

/** What a selector offers: the first of a list, those that fit a search, and the chosen one wherever it is. */
export function useChoices<Row extends { id: string }>(options: ChoicesOptions<Row>) {
  const { queryKey, read, find, chosenId, enabled = true } = options;
  const [search, setSearch] = useState("");
  const settled = useSettled(search);
  const all = useQuery({
    queryKey: [...queryKey, "choices", ""],
    queryFn: () => read({ limit: mostOffered }),
    enabled,
  });
  const long = all.data !== undefined && all.data.next !== null;
  const found = useQuery({
    queryKey: [...queryKey, "choices", settled],
    queryFn: () => read({ limit: mostOffered, search: settled }),
    placeholderData: keepPreviousData,
    enabled: enabled && long,
  });
  const page = (long ? found.data : undefined) ?? all.data;
  const near = page?.rows.find(({ id }) => id === chosenId) ?? all.data?.rows.find(({ id }) => id === chosenId);
  const lookup = useQuery({
    queryKey: [...queryKey, "chosen", chosenId],
    queryFn: async () => (await find(chosenId)) ?? null,
    enabled: enabled && chosenId !== "" && all.isSuccess && near === undefined,
  });
  const chosen = near ?? lookup.data ?? undefined;
  const rows = page?.rows ?? [];
  return {
    rows: chosen === undefined || rows.includes(chosen) ? rows : [chosen, ...rows],
    chosen,
    /** Whether the chosen one is known not to be there. */
    missing: chosenId !== "" && chosen === undefined && lookup.isSuccess,
    isPending: all.isPending,
    isError: all.isError || found.isError || lookup.isError,
    isSuccess: all.isSuccess,
    refetch: () => Promise.all([all.refetch(), found.refetch()]),
    /** For `SearchedSelect`. */
    searched: { search, onSearch: setSearch, total: page?.total ?? 0, first: page?.rows[0]?.id, long },
  };
}

/** The account's workflows, to choose one from; the latest edited first. */
export function useWorkflowChoices(chosenId: string) {
  const { workflows } = useServices();
  return useChoices<WorkflowSummary>({
    queryKey: ["workflows"],
    read: (request) => workflows.page({ ...request, order: "edited", own: true }),
    find: (id) => workflows.find(id),
    chosenId,
  });
}

/** The account's credentials of some types (of all, when none is named), to choose one from. */
export function useCredentialChoices(types: readonly string[], chosenId: string) {
  const { credentials } = useServices();
  const ofTypes = types.length === 0 ? {} : { types };
  const choices = useChoices<CredentialSummary>({
    queryKey: ["credentials", "of", ...types],
    read: (request) => credentials.page({ ...request, ...ofTypes }),
    find: async (id) => {
      const found = await credentials.find(id);
      return found !== undefined && (types.length === 0 || types.includes(found.type)) ? found : undefined;
    },
    chosenId,
  });
  const options = choices.rows.map((row) => ({ value: row.id, label: credentialLabel(row) }));
  return { ...choices, options };
}
