export const sudoWords = {
  title: "Confirm that it is you",
  lead: "You are about to change something that protects your account or that of others. Nothing has been changed yet.",
  password: "Password",
  wrongPassword: "This password is not right.",
  throttled: "That was tried many times in a short while.",
  changedMeanwhile:
    "You confirmed it in another window at the same moment. Please confirm it here once more.",
  noWay:
    "Nothing that you could confirm it with here is set up for your account. An administrator of the server can help you.",
  cancel: "Cancel",
  submit: "Confirm and continue",
};

export type SudoWords = typeof sudoWords;
