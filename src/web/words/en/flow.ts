export const flowWords = {
  stepsLabel: "Steps",
  next: "What next?",
  request: "Request",
  answer: "Response",
  decoded: { access_token: "Claims of the access token", id_token: "Claims of the ID token" },
  meanings: "What each parameter is for",
  actions: {
    token: "Exchange the code for tokens",
    userinfo: "Call UserInfo",
    introspect: "Introspect the token",
    refresh: "Refresh",
    revoke: "Revoke",
  },
  steps: {
    push: {
      title: "The request is pushed",
      explanation:
        "The app sends its request directly from its server and gets a reference for one sign-in. The request itself never passes through the browser.",
    },
    start: {
      title: "The application sends the browser to the server",
      explanation:
        "The application sends the browser here. The code_challenge is the hash of a secret that the application keeps to itself.",
    },
    callback: {
      title: "The browser returns with a code",
      explanation:
        "The browser returned to the application with a code. It works once, for a short time, and only with the secret that the challenge was made from.",
    },
    refused: {
      title: "The browser returns with an error",
      explanation:
        "The browser returned to the application without a code: the user declined, or the request was invalid. The error says which.",
    },
    foreign: {
      title: "The browser returns with a response to another request",
      explanation:
        "The state or the issuer does not match the request that was sent, so the application must not use this response.",
    },
    token: {
      title: "The code is exchanged for tokens",
      explanation:
        "The application sends the code and that secret directly to the server, not through the browser, and gets its tokens.",
    },
    machine: {
      title: "A machine gets a token",
      explanation:
        "No user is involved: the client authenticates with its secret and gets a token of its own.",
    },
    userinfo: {
      title: "The application requests user claims",
      explanation:
        "The application sends the access token and gets the user's claims: those of the scopes that were granted.",
    },
    introspect: {
      title: "Is the token active?",
      explanation:
        "An API that receives a token can ask the server whether the token is active and what it is for.",
    },
    refresh: {
      title: "The refresh token is exchanged for new tokens",
      explanation:
        "The application gets new tokens without the user. The refresh token is replaced too: the old one no longer works.",
    },
    revoke: {
      title: "The tokens are revoked",
      explanation:
        "The application revokes the token. The response is always 200. Introspect the token to see that it is inactive.",
    },
  },
  parameters: {
    response_type:
      "The kind of response: code is a one-time code, which the application exchanges for tokens.",
    client_id: "Identifies the application. It is not a secret.",
    redirect_uri:
      "The address that the browser returns to. It must equal a registered one, character by character.",
    scope: "The access that the application requests. The user is asked to allow it.",
    state:
      "Random for each request. It is returned unchanged, so the application recognizes the response to its own request.",
    nonce: "Random as well. It is returned in the ID token and binds the token to this request.",
    code_challenge:
      "The SHA-256 hash of the code_verifier. Without the verifier, a stolen code cannot be exchanged.",
    code_challenge_method: "How the challenge was derived. Only S256 is accepted here.",
    request_uri:
      "Refers to the request that was pushed before. It works for one sign-in of this application.",
    resource: "The API that the access token is for. It becomes the audience of the token.",
    code: "The one-time code. It can be exchanged only once.",
    iss: "The server that responds. The application compares it with the one it sent the request to (RFC 9207).",
    error: "The reason, as a code for programs.",
    error_description: "The reason, as a sentence for developers.",
  },
};

export type FlowWords = typeof flowWords;
