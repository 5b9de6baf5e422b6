/** The requests of a client and their answers, one after the other. */
export const flowWords = {
  stepsLabel: "Steps",
  next: "What next?",
  request: "Request",
  answer: "Answer",
  decoded: { access_token: "What the access token says", id_token: "What the id_token says" },
  meanings: "What each parameter is for",
  actions: {
    token: "Exchange the code for tokens",
    userinfo: "Call UserInfo",
    introspect: "Ask whether the token is active",
    refresh: "Refresh",
    revoke: "Revoke",
  },
  steps: {
    push: {
      title: "The request is pushed",
      explanation:
        "This app hands in its request straight from its server, and gets a reference for one sign-in. Nothing of the request goes through the browser.",
    },
    start: {
      title: "The application sends the browser to the server",
      explanation:
        "The application sends the browser here. The code_challenge is the hash of a secret that the application keeps to itself.",
    },
    callback: {
      title: "The browser comes back with a code",
      explanation:
        "The browser came back to the application with a code that is good once, for a short time, and useless without the secret behind the challenge.",
    },
    refused: {
      title: "The browser comes back with an error",
      explanation:
        "The browser came back to the application without a code: the person said no, or the request was not in order. The error says which.",
    },
    foreign: {
      title: "The browser comes back with an answer to something else",
      explanation:
        "The state or the issuer is not that of the request that was sent, so the application must not use this answer.",
    },
    token: {
      title: "The code is exchanged for tokens",
      explanation:
        "The application sends the code and that secret, straight to the server and not through the browser, and gets its tokens.",
    },
    machine: {
      title: "A machine gets a token",
      explanation:
        "No person takes part: the client proves itself with its secret and gets a token of its own.",
    },
    userinfo: {
      title: "The application asks who signed in",
      explanation:
        "With the access token the application asks who signed in. It gets the claims of the scopes that were granted.",
    },
    introspect: {
      title: "Is the token active?",
      explanation:
        "A party that is handed a token can ask the server whether it is active, and what it is for.",
    },
    refresh: {
      title: "The refresh token gets new tokens",
      explanation:
        "The refresh token gets new tokens without the person, and is replaced itself: the old one no longer works.",
    },
    revoke: {
      title: "The tokens are given back",
      explanation:
        "The application gives the token back. The answer is always 200; ask now whether the token is active.",
    },
  },
  parameters: {
    response_type:
      "What is asked for: code is a one-time code, which the application exchanges for tokens itself.",
    client_id: "Which application asks. Everybody may know it.",
    redirect_uri:
      "Where the browser goes with the answer. It must be one of those registered, character by character.",
    scope: "What the application would like to be allowed; the person is asked about it.",
    state:
      "Drawn at random for this request; it comes back unchanged, so the application knows its own answer.",
    nonce: "Drawn at random too; it comes back inside the id_token and ties it to this request.",
    code_challenge:
      "The SHA-256 hash of the code_verifier: a thief of the code cannot exchange it without that.",
    code_challenge_method: "How the challenge was made; S256 is the one way that is accepted here.",
    request_uri:
      "Refers to the request that was pushed before; it works for one sign-in of this application only.",
    resource: "The API that the access token is to be for; it becomes the audience of the token.",
    code: "The one-time code. It is exchanged at once and never again.",
    iss: "Which server answers; the application compares it with the one it asked (RFC 9207).",
    error: "What went wrong, as a word for programs.",
    error_description: "The same as a sentence for the developer.",
  },
};

export type FlowWords = typeof flowWords;
