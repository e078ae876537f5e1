import { z } from "zod/mini";

/** Whether an id can be looked up at all: documents and addresses from outside may hold anything in its place. */
export const isUuid = (id: string): boolean => z.guid().safeParse(id).success;
