import { describe, expect, it } from 'vitest';

import { ask, CATALOG, idsOf } from './seed.ts';
import type { Seed } from './seed.ts';

const WORLD: readonly Seed[] = [
  ...CATALOG,
  {
    id: 'otkat-reliza',
    description: 'Откат релиза сервиса на предыдущую версию. Использовать, когда после выкладки растут ошибки.',
    body: 'Откатите релиз и проверьте метрики.',
  },
  { id: 'デプロイ手順', description: 'サービスを本番環境にデプロイする手順。リリース時に使う。', body: '本文。' },
  { id: 'zh', name: '部署', description: '把服务部署到生产环境。发布新版本时使用。' },
  { id: 'ko', name: '배포 절차', description: '서비스를 운영 환경에 배포하는 절차. 릴리스할 때 사용한다.' },
  { id: 'th', name: 'ปรับใช้', description: 'ขั้นตอนการปรับใช้บริการไปยังระบบจริง' },
  { id: 'fr', name: 'déploiement', description: 'Déployer le service. À utiliser lors d’une mise en production.' },
  { id: 'de', name: 'rücknahme', description: 'Die Veröffentlichung eines Dienstes zurücknehmen. Größe prüfen.' },
  { id: 'es', name: 'reversión', description: 'Revertir una publicación en producción cuando hay errores.' },
];

describe('a search in the language of the entry', () => {
  it.each([
    { name: 'Russian, inflected', query: 'откатить релиз', id: 'otkat-reliza' },
    { name: 'Russian, another case', query: 'ошибка после выкладок', id: 'otkat-reliza' },
    { name: 'Russian, as a question', query: 'как мне откатить сервис?', id: 'otkat-reliza' },
    { name: 'Japanese without spaces', query: '本番へデプロイしたい', id: 'デプロイ手順' },
    { name: 'Japanese, one word', query: 'リリース', id: 'デプロイ手順' },
    { name: 'Chinese without spaces', query: '怎么部署到生产环境', id: 'zh' },
    { name: 'Korean with other particles', query: '서비스 배포를 하고 싶다', id: 'ko' },
    { name: 'Thai without spaces', query: 'ปรับใช้บริการ', id: 'th' },
    { name: 'French without its accents', query: 'deployer en production', id: 'fr' },
    { name: 'German with ss for ß', query: 'Grösse prüfen', id: 'de' },
    { name: 'Spanish without its accents', query: 'revertir publicacion', id: 'es' },
  ])('finds it first: $name', ({ query, id }) => {
    expect(idsOf(ask(WORLD, query))[0]).toBe(id);
  });

  it.each([
    { name: 'Russian', query: 'погода в Москве завтра' },
    { name: 'Japanese', query: '東京の天気' },
    { name: 'Finnish', query: 'huomisen sää Helsingissä' },
  ])('finds nothing where no entry has its words: $name', ({ query }) => {
    expect(ask(CATALOG, query)).toMatchObject({ hits: [], isGoodMatch: false });
  });
});
