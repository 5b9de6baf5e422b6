export const setupWords = {
  title: "Set up",
  heading: "Set up Postern",
  lead: "Make the account of the first administrator. This works once.",
  name: "Name",
  email: "E-mail",
  password: "Password",
  passwordHint: "At least 8 characters. A few unrelated words are stronger than one odd one.",
  submit: "Create administrator",
  doneTitle: "Ready",
  done: "Postern is ready",
  doneLead: "The first administrator exists, and this link has done its work.",
  signIn: "Sign in",
  errors: {
    name: "Give a name of 1 to 255 characters.",
    email: "This is not an e-mail address.",
    email_taken: "This e-mail address belongs to somebody already.",
    password_short: "This password must be 8 characters or more.",
    password_long: "This password is too long.",
    password_common: "This password is one of those that are guessed first.",
  },
};

export type SetupWords = typeof setupWords;
