import type { UseWords } from "../en/use.ts";

export const useWords: UseWords = {
  tabsLabel: "Partes de esta aplicación",
  tabs: { overview: "Resumen", use: "Usarla", try: "Probarla", checks: "Revisión" },
  title: "Usarla desde el código",
  lead: "Listo para pegar, con los valores de esta aplicación.",
  copyHint: "El secreto no aparece en ninguno: todos lo leen de la variable de entorno OAUTH_CLIENT_SECRET.",
  snippetsOf: { code: "Identificar a personas", machine: "Obtener un token para una máquina" },
  kinds: {
    environment: "Archivo de entorno",
    openid_client: "JavaScript con openid-client",
    oauth4webapi: "JavaScript con oauth4webapi",
    curl: "Una terminal con curl",
  },
  hints: {
    environment: "No lo guardes en el control de versiones.",
    browser:
      "Para la página de la URI de redirección: primero envía fuera el navegador, y a la vuelta recoge la respuesta.",
    terminal:
      "Escribe una dirección para abrirla en un navegador y lee la dirección a la que este es enviado. En una aplicación, las dos mitades son dos rutas.",
    machine: "Cuando el token esté a punto de caducar, pide otro.",
    shell: "Para ver el flujo a mano; necesita openssl para el challenge.",
  },
  endpoints: "Direcciones del servidor",
  endpointsHint: "Las bibliotecas las encuentran todas por la dirección de descubrimiento.",
  endpoint: {
    issuer: "Emisor",
    discovery: "Descubrimiento",
    authorization_endpoint: "Autorización",
    token_endpoint: "Canje por tokens",
    userinfo_endpoint: "Quién ha iniciado sesión",
    jwks_uri: "Claves públicas",
    introspection_endpoint: "Introspección",
    revocation_endpoint: "Revocación",
    end_session_endpoint: "Cierre de sesión",
  },
  comments: {
    install: "Instálalo y ejecútalo:",
    installWithSecret: "Instálalo y ejecútalo con el archivo de entorno:",
    insecure: "http sin cifrar es solo para un servidor en este mismo equipo.",
    discover: "Una vez, al arrancar la aplicación.",
    leave: "Antes de que el navegador se vaya: guarda esto en la sesión de quien se identifica.",
    leaveInBrowser: "Antes de que el navegador se vaya: guarda esto donde la página lo vuelva a encontrar.",
    open: "Abre esta dirección en un navegador:",
    back: "La dirección a la que fue enviado el navegador:",
    return: "Cuando el navegador vuelve: comprueba la respuesta y canjea el código.",
    who: "Quién ha iniciado sesión.",
    machine: "No interviene ninguna persona; pide otro cuando el token caduque.",
    paste: "pega-aqui-el-secreto",
  },
  gaps: {
    revoked: "Esta aplicación fue revocada: ya no obtiene tokens.",
    inactive: "Esta aplicación está desactivada: no obtiene tokens hasta que vuelva a estar activa.",
    no_grants: "Esta aplicación no tiene permitida ninguna concesión, así que aún no hay nada que mostrar.",
    no_redirect_uri: "Todavía nadie puede iniciar sesión: la aplicación no tiene ninguna URI de redirección.",
    no_scopes: "La aplicación no tiene permitido ningún scope, y toda solicitud debe pedir alguno.",
    no_machine_scopes:
      "Sin una persona, la aplicación no puede pedir nada: openid y offline_access tratan de personas.",
    no_secret: "La aplicación no tiene ningún secreto vigente con el que acreditarse.",
    proves_keys:
      "Esta aplicación necesita más que un secreto: claves con las que firma, o solicitudes que envía por adelantado. docs/fapi2.md muestra un cliente completo, y postern perform --client-key lo prueba.",
    public_machine: "Una aplicación pública no tiene secreto, así que no puede usar client credentials.",
    public:
      "Esta aplicación es pública: no tiene secreto, y PKCE prueba que quien canjea el código es quien lo pidió.",
  },
  mend: { edit: "Editar la aplicación", secret: "Crear un secreto" },
};
