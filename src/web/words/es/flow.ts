import type { FlowWords } from "../en/flow.ts";

export const flowWords: FlowWords = {
  stepsLabel: "Pasos",
  next: "¿Y ahora?",
  request: "Solicitud",
  answer: "Respuesta",
  decoded: { access_token: "Lo que dice el token de acceso", id_token: "Lo que dice el id_token" },
  meanings: "Para qué sirve cada parámetro",
  actions: {
    token: "Canjear el código por tokens",
    userinfo: "Preguntar quién ha iniciado sesión (userinfo)",
    introspect: "Preguntar si el token está activo",
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
        "El navegador ha vuelto a la aplicación sin código: la persona dijo que no, o la solicitud no estaba en orden. El error dice cuál de las dos cosas.",
    },
    foreign: {
      title: "El navegador vuelve con la respuesta a otra cosa",
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
      title: "La aplicación pregunta quién ha iniciado sesión",
      explanation:
        "Con el token de acceso, la aplicación pregunta quién ha iniciado sesión. Recibe los claims de los scopes concedidos.",
    },
    introspect: {
      title: "¿Está activo el token?",
      explanation: "Quien recibe un token puede preguntar al servidor si sigue vivo y para qué sirve.",
    },
    refresh: {
      title: "El refresh token consigue tokens nuevos",
      explanation:
        "El refresh token consigue tokens nuevos sin la persona, y él mismo se sustituye: el que se acaba de usar queda gastado.",
    },
    revoke: {
      title: "Los tokens se devuelven",
      explanation:
        "La aplicación devuelve el token. La respuesta siempre es 200; pregunta ahora si el token está activo.",
    },
  },
  parameters: {
    response_type:
      "Qué se pide: code es un código de un solo uso que la propia aplicación canjea por tokens.",
    client_id: "Qué aplicación pregunta. Puede saberlo cualquiera.",
    redirect_uri:
      "Adónde va el navegador con la respuesta. Debe ser una de las registradas, carácter por carácter.",
    scope: "Lo que la aplicación querría poder hacer; se le pregunta a la persona.",
    state:
      "Sacado al azar para esta solicitud; vuelve sin cambios, y así la aplicación reconoce su propia respuesta.",
    nonce: "También sacado al azar; vuelve dentro del id_token y lo ata a esta solicitud.",
    code_challenge: "El hash SHA-256 del code_verifier: quien robe el código no podrá canjearlo sin él.",
    code_challenge_method: "Cómo se hizo el challenge; S256 es la única forma que se acepta aquí.",
    request_uri:
      "Representa la solicitud enviada por adelantado; vale para un inicio de sesión y solo para esta aplicación.",
    resource: "La API para la que será el token de acceso; pasa a ser la audiencia del token.",
    code: "El código de un solo uso. Se canjea enseguida y nunca más.",
    iss: "Qué servidor responde; la aplicación lo compara con aquel al que preguntó (RFC 9207).",
    error: "Qué ha fallado, en una palabra para programas.",
    error_description: "Lo mismo, en una frase para quien desarrolla.",
  },
};
