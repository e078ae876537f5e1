/** A service that people sign in to by OAuth 2: what its credential begins with. */
export interface OAuthService {
  id: string;
  title: string;
  /** Where an application is registered. */
  register: string;
  fields: { authorizationUrl: string; tokenUrl: string; scope: string; parameters?: string; clientProof?: "header" };
  hosts: readonly string[];
}

const google = {
  authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
  tokenUrl: "https://oauth2.googleapis.com/token",
  // Without these Google gives no refresh token (developers.google.com/identity/protocols/oauth2/web-server).
  parameters: "access_type=offline&prompt=consent",
};

/** Services whose addresses are known. Another one is an entry here; its addresses can be typed in as well. */
export const oauthServices: readonly OAuthService[] = [
  {
    id: "google",
    title: "Google",
    register: "console.cloud.google.com → APIs & Services → Credentials → OAuth client ID (web application)",
    fields: {
      ...google,
      scope: "https://www.googleapis.com/auth/gmail.modify https://www.googleapis.com/auth/calendar",
    },
    hosts: ["gmail.googleapis.com", "www.googleapis.com", "sheets.googleapis.com"],
  },
  {
    id: "microsoft",
    title: "Microsoft 365",
    register: "entra.microsoft.com → App registrations (web)",
    fields: {
      authorizationUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
      tokenUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
      scope: "offline_access User.Read Mail.ReadWrite Mail.Send Calendars.ReadWrite",
    },
    hosts: ["graph.microsoft.com"],
  },
  {
    id: "github",
    title: "GitHub",
    register: "github.com/settings/developers → OAuth Apps",
    fields: {
      authorizationUrl: "https://github.com/login/oauth/authorize",
      tokenUrl: "https://github.com/login/oauth/access_token",
      scope: "repo read:org",
    },
    hosts: ["api.github.com"],
  },
  {
    id: "atlassian",
    title: "Atlassian (Jira)",
    register: "developer.atlassian.com/console → OAuth 2.0 integration",
    fields: {
      authorizationUrl: "https://auth.atlassian.com/authorize",
      tokenUrl: "https://auth.atlassian.com/oauth/token",
      scope: "offline_access read:jira-work write:jira-work",
      parameters: "audience=api.atlassian.com&prompt=consent",
    },
    hosts: ["api.atlassian.com"],
  },
  {
    id: "hubspot",
    title: "HubSpot",
    register: "developers.hubspot.com → Apps",
    fields: {
      authorizationUrl: "https://app.hubspot.com/oauth/authorize",
      tokenUrl: "https://api.hubapi.com/oauth/v1/token",
      scope: "oauth crm.objects.contacts.read crm.objects.contacts.write",
    },
    hosts: ["api.hubapi.com"],
  },
  {
    id: "linear",
    title: "Linear",
    register: "linear.app → Settings → API → OAuth applications",
    fields: {
      authorizationUrl: "https://linear.app/oauth/authorize",
      tokenUrl: "https://api.linear.app/oauth/token",
      scope: "read write",
    },
    hosts: ["api.linear.app"],
  },
];
