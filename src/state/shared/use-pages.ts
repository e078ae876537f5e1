import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Page, PagePlace, PageRequest } from "../../services/services.ts";

/** Milliseconds after the last letter until a list is searched. */
const typingPause = 250;

/** A text once it has not changed for a moment; at once when it becomes empty. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === "" ? 0 : typingPause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface PagesOptions {
  /** Rows of a page. */
  size?: number;
  enabled?: boolean;
}

/** A list that is read page by page. While another search is on its way, what was found before stays. */
export function usePages<Row, Read extends Page<Row>>(
  queryKey: readonly unknown[],
  read: (request: PageRequest) => Promise<Read & Page<Row>>,
  { size = 50, enabled = true }: PagesOptions = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read({ limit: size, ...(pageParam === null ? {} : { after: pageParam }) }),
    initialPageParam: null as PagePlace | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    enabled,
  });
  return { ...query, first: query.data?.pages[0], rows: query.data?.pages.flatMap((page) => page.rows) };
}
