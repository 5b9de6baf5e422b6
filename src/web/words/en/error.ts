export const errorWords = {
  error: "Error",
  detail: "Detail",
  request: "Request",
  reference: "Reference",
  kinds: {
    refused: {
      title: "This request cannot be carried out",
      message: "Something in it is not as it should be.",
      hint: "If an application sent you here, its developers will want to know what is written below.",
    },
    missing: {
      title: "Nothing here",
      message: "There is nothing at this address.",
      hint: "It may have been typed or copied wrongly.",
    },
    busy: {
      title: "One moment, please",
      message: "The server is busy. Try again in a moment.",
      hint: "Nothing is lost: reload this page.",
    },
    broken: {
      title: "Something went wrong here",
      message: "The server met an unexpected condition.",
      hint: "It is not your fault. An administrator of this server can find out more by the number of the request.",
    },
    foreign_form: {
      title: "This form cannot be taken",
      message: "The form is out of date or was sent from another site.",
      hint: "Go back and try again.",
    },
    sign_in_ended: {
      title: "You are no longer signed in",
      message: "The sign-in has ended.",
      hint: "Start again at the application.",
    },
    client_document_unavailable: {
      title: "The application cannot be reached",
      message: "This application describes itself at an address of its own, which does not answer now.",
      hint: "Try again in a moment. If it goes on, tell the people who make the application.",
    },
    dead_setup_link: {
      title: "This link works no more",
      message: "This setup link is used or too old.",
      hint: "Starting the server again prints another.",
    },
  },
};

export type ErrorWords = typeof errorWords;
