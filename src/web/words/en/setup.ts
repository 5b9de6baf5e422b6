export const setupWords = {
  title: "Set up",
  heading: "Set up Postern",
  lead: "Create the first administrator account. This works once.",
  name: "Name",
  email: "Email",
  password: "Password",
  submit: "Create administrator",
  doneTitle: "Ready",
  done: "Postern is ready",
  doneLead: "The first administrator was created. This link can't be used again.",
  signIn: "Sign in",
  waiting: {
    heading: "Postern is not set up yet",
    lead: "There is no account here yet.",
    where: "When the server started, it printed a setup link to its terminal or log.",
    again: (time: string) => `The link works once, within ${time}. To get a new one, restart the server.`,
  },
  errors: {
    email: "Enter a valid email address.",
    email_taken: "This email address is already in use.",
    password_short: "This password is too short.",
    password_long: "This password is too long.",
    password_common: "This password is too common.",
  },
};

export type SetupWords = typeof setupWords;
