export const setupWords = {
  title: "Set up",
  heading: "Set up Postern",
  lead: "Create the first administrator account. This works once.",
  name: "Name",
  email: "E-mail",
  password: "Password",
  passwordHint: "At least 8 characters. A few unrelated words are stronger than one unusual word.",
  submit: "Create administrator",
  doneTitle: "Ready",
  done: "Postern is ready",
  doneLead: "The first administrator was created. This link can't be used again.",
  signIn: "Sign in",
  waiting: {
    heading: "Postern is not set up yet",
    lead: "There is no account here yet.",
    where: "When the server started, it printed a setup link: in its terminal, or in its log.",
    again: "The link works once, within 24 hours. To get a new one, restart the server.",
  },
  errors: {
    name: "Enter a name of 1 to 255 characters.",
    email: "Enter a valid e-mail address.",
    email_taken: "This e-mail address is already in use.",
    password_short: "This password is too short: it needs 8 characters or more.",
    password_long: "This password is too long.",
    password_common: "This password is too common.",
  },
};

export type SetupWords = typeof setupWords;
