/** Around every page. */
export const frameWords = {
  skip: "Skip to content",
  tagline: "Powered by Postern",
  runsOn: (server: string) => `${server} runs on Postern`,
  language: "Language",
  documents: "Documentation",
  faces: "Account and console",
  account: "Account",
  console: "Console",
  signedIn: "Signed in as",
  menu: "Menu",
  signOut: "Sign out",
  crumbs: "Where this page is",
  copy: "Copy",
  copied: "Copied",
  showPassword: "Show password",
  hidePassword: "Hide password",
};

export type FrameWords = typeof frameWords;
