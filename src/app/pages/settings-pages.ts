export { SettingsPage } from "./settings-page.tsx";
export { ApiKeysPage } from "./api-keys-page.tsx";
export { CredentialsPage } from "./credentials-page.tsx";
export { InboxPage } from "./inbox-page.tsx";
