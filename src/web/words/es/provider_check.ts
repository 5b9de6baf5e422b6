import type { ProviderCheckWords } from "../en/provider_check.ts";

export const providerCheckWords: ProviderCheckWords = {
  title: "URI de redirección",
  lead: "Registra esta dirección en el proveedor, carácter por carácter.",
  unready: "Todavía nadie puede entrar a través de él: no tiene secreto de cliente ni clave privada.",
  check: "Comprobar este proveedor",
  checkLead: "Obtiene lo que publica el proveedor: emisor, claves, algoritmos y su reloj.",
  found: (name) => `Resultados de ${name}`,
  well: "No se encontraron problemas: debería ser posible iniciar sesión a través de él.",
  wrong: "No se puede iniciar sesión a través de él hasta que esto se corrija.",
  tooOften: "Se comprobó hace un momento. Inténtalo de nuevo más tarde.",
  again: "Comprobar otra vez",
  back: "Volver al proveedor",
  ok: "Correcto",
  fault: "Problema",
  state: "Estado",
  what: "Comprobación",
  detail: "Resultado",
  checks: {
    redirect_uri: "URI de redirección",
    settings: "Ajustes",
    metadata: "Metadatos publicados",
    keys: "Claves y algoritmos",
    pkce: "Uso de PKCE",
    protection: "Protección ausente",
    clock: "Reloj",
  },
};
