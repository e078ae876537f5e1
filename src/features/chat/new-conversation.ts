import { createContext } from "react";

/** Begins another conversation in the chat that something is shown in; absent outside one. */
export const NewConversation = createContext<(() => void) | undefined>(undefined);
