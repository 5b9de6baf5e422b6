import type { FlowWords } from "../en/flow.ts";

export const flowWords: FlowWords = {
  stepsLabel: "Pasos",
  next: "¿Y ahora?",
  request: "Solicitud",
  answer: "Respuesta",
  decoded: { access_token: "Claims del token de acceso", id_token: "Claims del ID token" },
  meanings: "Para qué sirve cada parámetro",
  actions: {
    token: "Canjear el código por tokens",
    userinfo: "Preguntar quién ha iniciado sesión (userinfo)",
    introspect: "Introspección del token",
    refresh: "Renovar",
    revoke: "Revocar",
  },
  steps: {
    push: {
      title: "La solicitud se envía por adelantado",
      explanation:
        "Esta aplicación entrega su solicitud directamente desde su servidor y recibe una referencia que vale para un inicio de sesión. Nada de la solicitud pasa por el navegador.",
    },
    start: {
      title: "La aplicación envía el navegador al servidor",
      explanation:
        "La aplicación envía aquí el navegador. El code_challenge es el hash de un secreto que la aplicación se guarda para sí.",
    },
    callback: {
      title: "El navegador vuelve con un código",
      explanation:
        "El navegador ha vuelto a la aplicación con un código que vale una sola vez, por poco tiempo, y que no sirve sin el secreto que hay detrás del challenge.",
    },
    refused: {
      title: "El navegador vuelve con un error",
      explanation:
        "El navegador ha vuelto a la aplicación sin código: el usuario rechazó la solicitud o esta no era válida. El error indica cuál de las dos cosas.",
    },
    foreign: {
      title: "El navegador vuelve con la respuesta a otra solicitud",
      explanation:
        "El state o el emisor no es el de la solicitud enviada, así que la aplicación no debe usar esta respuesta.",
    },
    token: {
      title: "El código se canjea por tokens",
      explanation:
        "La aplicación envía el código y ese secreto directamente al servidor, sin pasar por el navegador, y recibe sus tokens.",
    },
    machine: {
      title: "Una máquina obtiene un token",
      explanation:
        "No interviene ninguna persona: el cliente se acredita con su secreto y obtiene un token propio.",
    },
    userinfo: {
      title: "La aplicación solicita los claims del usuario",
      explanation:
        "La aplicación envía el token de acceso y recibe los claims del usuario: los de los scopes concedidos.",
    },
    introspect: {
      title: "¿Está activo el token?",
      explanation: "Una API que recibe un token puede preguntar al servidor si está activo y para qué sirve.",
    },
    refresh: {
      title: "El refresh token se canjea por tokens nuevos",
      explanation:
        "El refresh token obtiene tokens nuevos sin el usuario. Él mismo también se sustituye: el anterior ya no funciona.",
    },
    revoke: {
      title: "Los tokens se revocan",
      explanation:
        "La aplicación revoca el token. La respuesta siempre es 200. Haz la introspección del token para ver que está inactivo.",
    },
  },
  parameters: {
    response_type:
      "Qué se pide: code es un código de un solo uso que la propia aplicación canjea por tokens.",
    client_id: "Identifica la aplicación. No es un secreto.",
    redirect_uri:
      "Adónde va el navegador con la respuesta. Debe ser una de las registradas, carácter por carácter.",
    scope: "El acceso que solicita la aplicación. Se pide al usuario que lo permita.",
    state:
      "Aleatorio en cada solicitud. Vuelve sin cambios, y así la aplicación reconoce la respuesta a su solicitud.",
    nonce: "También aleatorio. Vuelve dentro del ID token y lo vincula a esta solicitud.",
    code_challenge: "El hash SHA-256 del code_verifier: quien robe el código no podrá canjearlo sin él.",
    code_challenge_method: "Cómo se hizo el challenge; S256 es la única forma que se acepta aquí.",
    request_uri:
      "Representa la solicitud enviada por adelantado; vale para un inicio de sesión y solo para esta aplicación.",
    resource: "La API para la que será el token de acceso; pasa a ser la audiencia del token.",
    code: "El código de un solo uso. Solo se puede canjear una vez.",
    iss: "Qué servidor responde; la aplicación lo compara con aquel al que preguntó (RFC 9207).",
    error: "Qué ha fallado, en una palabra para programas.",
    error_description: "Lo mismo, en una frase para quien desarrolla.",
  },
};
