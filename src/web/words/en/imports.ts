import { plural } from "./plural.ts";

export const importWords = {
  title: "Import",
  lead: "Move users, apps, organizations and providers here from another system. Nothing is written before you have seen what would be imported and what would be lost.",
  system: "System",
  source: "Source",
  sourceHelp:
    "Where the users come from: one name for each realm or tenant. Leave empty for the name of the system. Use the same source when you repeat an import.",
  organization: "Organization (slug or ID)",
  organizationHelp:
    "All users in the file become its members, with the roles and groups that the file names. If empty, users join only the organizations that the file names.",
  file: "File",
  fileHelp: (size: string) =>
    `JSON, NDJSON or CSV, at most ${size}. For a larger export, several files or a map, use postern import.`,
  pasted: "Or paste the content of the file",
  check: "Check the file",
  kept: "The file is stored encrypted. It is deleted after the import, when you discard it, or after a day.",
  incomplete: "Choose a system and a file, or paste its content.",
  wrongSource: "Write the source with lowercase letters, digits, dots and hyphens.",
  tooLarge: (size: string) => `The file has more than ${size}. Use postern import.`,
  unreadable: (reason: string) => `The file cannot be read: ${reason}.`,
  noOrganization:
    "Neither this server nor the file has an organization with this slug or ID. Create it first.",
  notOfSystem: (system: string) => `The file does not look like an export of ${system}.`,
  ofOtherSystem: (system: string, likely: string) =>
    `The file does not look like an export of ${system}, but like one of ${likely}.`,
  phase: {
    checking: "Checking",
    checked: "Checked: nothing has been written yet",
    importing: "Importing",
    imported: "Imported",
    failed: "The import failed",
    stopped: "The import was interrupted",
  },
  progress: (done: string, total: string) => `${done} of ${total} users`,
  refreshes: "This page refreshes automatically.",
  failedLead: (reason: string) =>
    `Reason: ${reason}. Users who were already imported remain; a repeated import adds the rest.`,
  stoppedLead: "Users who were already imported remain. Continue to import the rest.",
  apply: "Import",
  goOn: "Continue",
  discard: "Discard the file",
  users: "Users",
  created: "created",
  updated: "updated",
  planned: { created: "to create", updated: "to update" },
  unchanged: "unchanged",
  refused: "refused",
  memberships: "Memberships",
  records: "Apps, organizations, roles, groups and providers",
  stay: (figure: string) => `${figure} stay as they are`,
  losses: "Lost",
  noLosses: "Nothing is lost.",
  lossesFile: "Download losses.csv",
  kind: "Kind and reason",
  count: "Count",
  applications: "Changes in each application",
  applicationsLead:
    "Each application keeps its client_id and must be configured with the issuer of this server. Its users sign in once more. For an app without a secret in the file, add one on the app's page.",
  nothingElse: "no other change",
  otherSubjects: plural({
    one: (figure) => `${figure} user gets another sub: applications have to match by email address.`,
    other: (figure) => `${figure} users get another sub: applications have to match by email address.`,
  }),
  runs: "Earlier imports from this page",
  noRuns: "None",
  when: "Time",
  by: "By",
};

export type ImportWords = typeof importWords;
