import { html } from "../../html/html.ts";
import type { UseWords } from "../en/use.ts";
import { plural } from "./plural.ts";

export const useWords: UseWords = {
  tabsLabel: "Partes de esta aplicación",
  tabs: { overview: "Resumen", use: "Inicio rápido", try: "Zona de pruebas", checks: "Revisión" },
  toMend: plural({
    one: (figure) => `${figure} por corregir`,
    other: (figure) => `${figure} por corregir`,
  }),
  lead: "Listo para pegar, con los valores de esta aplicación.",
  copyHint: "El secreto no aparece en ninguno: todos lo leen de la variable de entorno OAUTH_CLIENT_SECRET.",
  snippetsOf: { code: "Identificar a personas", machine: "Obtener un token para una máquina" },
  kinds: {
    environment: "Archivo de entorno",
    express: "Node.js con Express",
    fastify: "Node.js con Fastify",
    nextjs: "Next.js con Auth.js",
    browser: "JavaScript con oidc-client-ts",
    react: "React con react-oidc-context",
    fastapi: "Python con FastAPI y Authlib",
    go: "Go con go-oidc",
    spring: "Java con Spring Security",
    dotnet: ".NET con ASP.NET Core",
    php: "PHP con openid-connect-php",
    node_cli: "Node.js en una terminal",
    node: "Node.js con openid-client",
    python: "Python con Requests",
    plain_go: "Go con x/oauth2",
    curl: "Una terminal con curl",
  },
  hints: {
    environment: "No lo guardes en el control de versiones.",
    browser: "Sírvela en la dirección de la URI de redirección.",
    nextjs:
      "Vuelve a la dirección fija /api/auth/callback/postern: añade http://localhost:3000/api/auth/callback/postern a las URI de redirección. Si el puerto 3000 está ocupado, define también NEXTAUTH_URL.",
    php: "El script está en la URI de redirección.",
    machine: "Cuando el token esté a punto de caducar, pide otro.",
    shell: "Para ver el flujo a mano; necesita openssl para el challenge.",
  },
  servedAt: (address) => html`El comando de abajo la sirve en ${address}.`,
  run: "Instalar y ejecutar",
  created: "La aplicación está creada.",
  credentials: "Credenciales",
  secretOnce: "Copia este secreto ahora. No volverás a verlo.",
  secret: "Secreto de cliente",
  api: "Verificar los tokens que recibe tu API",
  noApi:
    "Registra la API que sirve esta aplicación y nombra este ID de cliente entre sus aplicaciones. Su página mostrará entonces el código que verifica tokens, y esta también.",
  registerApi: "Registrar una API",
  endpoints: "Direcciones del servidor",
  endpointsHint: "Las bibliotecas las encuentran todas por la dirección de descubrimiento.",
  endpoint: {
    issuer: "Emisor",
    discovery: "Descubrimiento",
    authorization_endpoint: "Autorización",
    token_endpoint: "Canje por tokens",
    userinfo_endpoint: "UserInfo (datos del usuario)",
    jwks_uri: "Claves públicas",
    introspection_endpoint: "Introspección",
    revocation_endpoint: "Revocación",
    end_session_endpoint: "Cierre de sesión",
  },
  comments: {
    open: "Abre esta dirección en un navegador:",
    back: "La dirección a la que fue enviado el navegador:",
    unregistered: "registra antes una URI de redirección para después de cerrar sesión",
    paste: "pega-aqui-el-secreto",
  },
  gaps: {
    revoked: "Esta aplicación fue revocada: ya no obtiene tokens.",
    inactive: "Esta aplicación está desactivada: no obtiene tokens hasta que vuelva a estar activa.",
    no_grants: "Esta aplicación no tiene permitida ninguna concesión, así que aún no hay nada que mostrar.",
    no_redirect_uri: "Todavía nadie puede iniciar sesión: la aplicación no tiene ninguna URI de redirección.",
    no_scopes: "La aplicación no tiene permitido ningún scope, y toda solicitud debe pedir alguno.",
    no_machine_scopes:
      "Sin un usuario, la aplicación no puede pedir ningún scope: openid y offline_access requieren un usuario.",
    no_secret: "La aplicación no tiene ningún secreto vigente con el que acreditarse.",
    proves_keys:
      "Esta aplicación necesita más que un secreto: una clave de firma o solicitudes enviadas por adelantado. docs/fapi2.md muestra un cliente completo, y postern perform --client-key lo prueba.",
    public_machine: "Una aplicación pública no tiene secreto, así que no puede usar client credentials.",
    public:
      "Esta aplicación es pública: no tiene secreto, y PKCE prueba que quien canjea el código es quien lo pidió.",
  },
  mend: { edit: "Editar la aplicación", secret: "Crear un secreto" },
};
