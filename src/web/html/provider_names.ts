/** The providers' own names, the same in every language. */
export const providerNames = {
  google: "Google",
  microsoft: "Microsoft",
  apple: "Apple",
  github: "GitHub",
  gitlab: "GitLab",
  discord: "Discord",
  facebook: "Facebook",
  linkedin: "LinkedIn",
  slack: "Slack",
} as const;
