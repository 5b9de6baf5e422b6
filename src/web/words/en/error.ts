export const errorWords = {
  error: "Error",
  detail: "Detail",
  request: "Request",
  reference: "Reference",
  start: "Go to the start page",
  kinds: {
    refused: {
      title: "Something is wrong with this request",
      message: "The server refused it. See the details below.",
      hint: "If an application sent you here, show these details to its developers.",
    },
    missing: {
      title: "Page not found",
      message: "There is no page at this address.",
      hint: "Check that the address is complete and correct.",
    },
    busy: {
      title: "One moment, please",
      message: "The server is busy. Try again in a moment.",
      hint: "Nothing is lost: reload this page.",
    },
    broken: {
      title: "Something went wrong here",
      message: "The server encountered an unexpected error.",
      hint: "It is not your fault. An administrator of this server can find the cause by the request number.",
    },
    foreign_form: {
      title: "This form cannot be accepted",
      message: "The form has expired or came from another site.",
      hint: "Go back and try again.",
    },
    sign_in_ended: {
      title: "You are no longer signed in",
      message: "The sign-in has ended.",
      hint: "Start again at the application.",
    },
    client_document_unavailable: {
      title: "The application cannot be reached",
      message: "This application publishes its registration at its own address, which is not responding.",
      hint: "Try again in a moment. If this continues, contact the developers of the application.",
    },
    unknown_client: {
      title: "This application is not registered here",
      message: "It was never registered here, or its registration was removed because it was not used.",
      hint: "If the application set up the connection itself, remove the connection in the application and connect again.",
    },
    dead_setup_link: {
      title: "This link has expired or was already used",
      message: "This setup link can't be used again.",
      hint: "Restart the server to get a new one.",
    },
  },
};

export type ErrorWords = typeof errorWords;
