-- The language that a text is written in, for its stemmer: by its script, and among languages of one script by how many of its words
-- are stop words. Those that have neither stemmer nor blanks are `simple`; a text in Latin letters that says nothing is `english`.
create or replace function private.studio_guess_language(p_text text) returns text
language plpgsql stable security invoker set search_path = ''
as $$
declare
  sample constant text := lower(normalize(left(p_text, 8000), nfkc));
  script text;
  guessed text;
  share double precision;
begin
  select scripts.name into script
  from (values ('latin', '[^a-z\u00df-\u024f\u1e00-\u1eff]+'), ('greek', '[^\u0370-\u03ff\u1f00-\u1fff]+'),
    ('cyrillic', '[^\u0400-\u04ff]+'), ('armenian', '[^\u0561-\u0587]+'), ('arabic', '[^\u0620-\u06d3]+'),
    ('devanagari', '[^\u0900-\u097f]+'), ('tamil', '[^\u0b80-\u0bff]+'),
    ('simple', '[^\u05d0-\u05ea\u0980-\u0b7f\u0c00-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]+')
  ) as scripts (name, others)
  cross join lateral (select char_length(regexp_replace(sample, scripts.others, '', 'g')) as letters) as counted
  -- A letter of a script without an alphabet says more.
  order by counted.letters * case when scripts.name = 'simple' then 2 else 1 end desc, scripts.name = 'latin' desc
  limit 1;
  if script in ('greek', 'armenian', 'tamil', 'simple') then
    return script;
  elsif script = 'arabic' then
    -- Letters of Persian and Urdu.
    return case when sample ~ '[\u067e\u0686\u0698\u06af\u0679\u06d2]' then 'simple' else 'arabic' end;
  elsif script = 'devanagari' then
    -- "And" or "is" in Marathi; endings of Nepali.
    return case when sample ~ '(\u0906\u0923\u093f|\u0906\u0939\u0947)' then 'simple'
      when sample ~ '(\u0939\u0930\u0942|\u0932\u093e\u0908|\u0928\u094d\u091b)' then 'nepali' else 'hindi' end;
  elsif script = 'cyrillic' then
    return case
      when sample ~ '[\u0458\u0459\u045a\u045b\u0452\u045f]' then 'serbian'
      when sample ~ '[\u0456\u0457\u0454\u0491\u045e\u0493\u049b\u04a3\u04af\u04b1\u04bb\u04d9\u04e9]' then 'simple'
      -- Bulgarian and Macedonian do without them.
      when sample ~ '[\u044b\u044d\u0451]' or char_length(sample) < 60 then 'russian'
      else 'simple'
    end;
  end if;
  with words as (
    select lexeme as word, cardinality(positions) as times from unnest(to_tsvector('pg_catalog.simple', sample))
    where char_length(lexeme) > 1 and lexeme !~ '[0-9]'
  ), stopped as (
    select stems.language, words.word, words.times
    from unnest(array['danish', 'dutch', 'english', 'finnish', 'french', 'german', 'hungarian', 'italian', 'norwegian', 'portuguese',
      'spanish', 'swedish', 'turkish']) as stems (language)
    join words on ts_lexize(('pg_catalog.' || stems.language || '_stem')::regdictionary, words.word) = '{}'
    union all
    -- Postgres has no stop words of these. The last are of Polish, Czech, Slovak, Slovene, Vietnamese, Estonian, Latvian, Albanian and
    -- Swahili.
    select lists.language, words.word, words.times
    from (values
      ('basque', 'eta da ez dira bat du edo den hau zen dute izan baina ere dituen bere hori dago behar egin da-da duen bezala baino zein'),
      ('catalan', 'de la que el els les en per un una amb es és al als del dels no ho com més són però aquest aquesta entre seva seu també ser cal dia ha hi qual'),
      ('indonesian', 'yang dan di dari untuk dengan dalam ini itu tidak ke pada adalah akan atau oleh juga dapat ada sudah telah bisa anda kami sebagai lebih satu sama mereka'),
      ('irish', 'an na agus is ar go le tá do ag ní bhí sé sí gach den leis mar ach nó bheith seo sin bhfuil ais gur ba chuig féidir i'),
      ('lithuanian', 'ir yra kad iš su į tai ne per bus apie buvo kaip nuo bei jų savo ar po už dėl jis jie turi gali galima būti arba jei tą'),
      ('romanian', 'de și în a la cu pe că nu un o se din este să mai sunt ce care pentru prin sau fi al ale dar ca lui au ei el ele față'),
      ('serbian', 'je se na da su za od ne sa kao ali bi koji koja koje što može ili biti samo ovo ili po do kako ako više nije'),
      ('simple', 'się jest nie że przez dla oraz które który jako są pod być tym jak ich swej swych swoich na do od po za wobec lub może można tego'),
      ('simple', 'se je na že jsou které který jako není byl pro jsem podle nebo také lze co do za aby jejich mají být svobodní sú ktoré ktorý ako alebo že nie pre sa majú'),
      ('simple', 'je se na so za ki da ne bi ali kot pri tudi imajo lahko po od iz naj drug'),
      ('simple', 'và của là các được cho có không những trong một người này với đã để từ khi phải về'),
      ('simple', 'ja on ei et see ka mis kui oma ning või aga selle neile nende kõik peab'),
      ('simple', 'un ir uz ar par no ka kas lai ja nav vai viņi viņiem savā pret var tiek'),
      ('simple', 'të dhe në për me një nga që është janë do nuk si ka duhet ose kanë'),
      ('simple', 'na ya wa kwa ni katika za la cha kuwa hii yao wote hivyo au kama')
    ) as lists (language, list)
    join words on words.word = any (string_to_array(lists.list, ' '))
  ), strange as (
    -- Words with a letter that the language does not have.
    select alphabets.language, sum(words.times) as times
    from (values ('basque', 'ñç'), ('catalan', 'àçèéíïòóúü·'), ('danish', 'æøåé'), ('dutch', 'áéèëêïíóöü'), ('english', 'éï'), ('finnish', 'äöåšž'),
      ('french', 'àâæçéèêëîïôœùûüÿ'), ('german', 'äöüßé'), ('hungarian', 'áéíóöőúüű'), ('indonesian', 'é'), ('irish', 'áéíóú'),
      ('italian', 'àèéìíîòóùú'), ('lithuanian', 'ąčęėįšųūž'), ('norwegian', 'æøåéèêòóô'), ('portuguese', 'áâãàçéêíóôõúü'),
      ('romanian', 'ăâîșşțţ'), ('serbian', 'čćđšž'), ('spanish', 'áéíñóúü'), ('swedish', 'åäöéà'), ('turkish', 'çğıöşüâîû')
    ) as alphabets (language, letters)
    join words on octet_length(words.word) > char_length(words.word) and words.word ~ ('[^\u0001-\u007f' || alphabets.letters || ']')
    group by alphabets.language
  ), counted as (
    select by_list.language, sum(by_list.times)::double precision as times, count(distinct by_list.word) as kinds
    from (select distinct stopped.language, stopped.word, stopped.times from stopped) as by_list
    group by by_list.language
  )
  select counted.language, counted.times / (select sum(words.times) from words) into guessed, share
  from counted left join strange on strange.language = counted.language
  order by counted.times - 2 * coalesce(strange.times, 0) desc, counted.kinds desc, counted.language in ('english', 'simple') desc, counted.language
  limit 1;
  return case when share > 0.1 then guessed else 'english' end;
end;
$$;

select private.studio_grant_calls('private.studio_guess_language(text)');
