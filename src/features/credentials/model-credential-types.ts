import { providers } from "../../providers/index.ts";

/** The providers that ask for a key. */
export const providersWithKey = providers.filter(({ credentialTypes }) => credentialTypes.length > 0);

/** The types of credentials that lead to a model. */
export const modelCredentialTypes = providersWithKey.flatMap(({ credentialTypes }) => credentialTypes);
