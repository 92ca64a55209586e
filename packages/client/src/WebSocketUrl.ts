/** Where a server's WebSocket is: the path is the usual one unless the address has one itself. */
export const webSocketUrl = (server: string, path: string): string => {
  const url = new URL(server)
  url.protocol = url.protocol.replace("http", "ws")
  if (url.pathname === "/") url.pathname = path
  return url.href
}
