// A site with nothing but the docs plugin: no search, no blog, no telemetry, no request while it is built.

module.exports = {
  title: 'Pages',
  url: 'https://example.org',
  baseUrl: '/base/',
  trailingSlash: undefined,
  onBrokenLinks: 'ignore',
  onBrokenAnchors: 'ignore',
  onDuplicateRoutes: 'throw',
  markdown: { format: 'detect', hooks: { onBrokenMarkdownLinks: 'ignore', onBrokenMarkdownImages: 'ignore' } },
  plugins: [['@docusaurus/plugin-content-docs', { routeBasePath: 'docs', sidebarPath: false }]],
  themes: ['@docusaurus/theme-classic'],
};
