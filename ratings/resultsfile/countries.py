"""Countries as results files name them: by their codes, and the usual ones by name."""

from __future__ import annotations

from functools import cache

from ratings.resultsfile.text import folded

__all__ = ["alpha_2"]

# Every country of ISO 3166-1, alpha-2 and alpha-3.
_CODES = """
AD-AND AE-ARE AF-AFG AG-ATG AI-AIA AL-ALB AM-ARM AO-AGO AQ-ATA AR-ARG AS-ASM AT-AUT AU-AUS AW-ABW AX-ALA
AZ-AZE BA-BIH BB-BRB BD-BGD BE-BEL BF-BFA BG-BGR BH-BHR BI-BDI BJ-BEN BL-BLM BM-BMU BN-BRN BO-BOL BQ-BES
BR-BRA BS-BHS BT-BTN BV-BVT BW-BWA BY-BLR BZ-BLZ CA-CAN CC-CCK CD-COD CF-CAF CG-COG CH-CHE CI-CIV CK-COK
CL-CHL CM-CMR CN-CHN CO-COL CR-CRI CU-CUB CV-CPV CW-CUW CX-CXR CY-CYP CZ-CZE DE-DEU DJ-DJI DK-DNK DM-DMA
DO-DOM DZ-DZA EC-ECU EE-EST EG-EGY EH-ESH ER-ERI ES-ESP ET-ETH FI-FIN FJ-FJI FK-FLK FM-FSM FO-FRO FR-FRA
GA-GAB GB-GBR GD-GRD GE-GEO GF-GUF GG-GGY GH-GHA GI-GIB GL-GRL GM-GMB GN-GIN GP-GLP GQ-GNQ GR-GRC GS-SGS
GT-GTM GU-GUM GW-GNB GY-GUY HK-HKG HM-HMD HN-HND HR-HRV HT-HTI HU-HUN ID-IDN IE-IRL IL-ISR IM-IMN IN-IND
IO-IOT IQ-IRQ IR-IRN IS-ISL IT-ITA JE-JEY JM-JAM JO-JOR JP-JPN KE-KEN KG-KGZ KH-KHM KI-KIR KM-COM KN-KNA
KP-PRK KR-KOR KW-KWT KY-CYM KZ-KAZ LA-LAO LB-LBN LC-LCA LI-LIE LK-LKA LR-LBR LS-LSO LT-LTU LU-LUX LV-LVA
LY-LBY MA-MAR MC-MCO MD-MDA ME-MNE MF-MAF MG-MDG MH-MHL MK-MKD ML-MLI MM-MMR MN-MNG MO-MAC MP-MNP MQ-MTQ
MR-MRT MS-MSR MT-MLT MU-MUS MV-MDV MW-MWI MX-MEX MY-MYS MZ-MOZ NA-NAM NC-NCL NE-NER NF-NFK NG-NGA NI-NIC
NL-NLD NO-NOR NP-NPL NR-NRU NU-NIU NZ-NZL OM-OMN PA-PAN PE-PER PF-PYF PG-PNG PH-PHL PK-PAK PL-POL PM-SPM
PN-PCN PR-PRI PS-PSE PT-PRT PW-PLW PY-PRY QA-QAT RE-REU RO-ROU RS-SRB RU-RUS RW-RWA SA-SAU SB-SLB SC-SYC
SD-SDN SE-SWE SG-SGP SH-SHN SI-SVN SJ-SJM SK-SVK SL-SLE SM-SMR SN-SEN SO-SOM SR-SUR SS-SSD ST-STP SV-SLV
SX-SXM SY-SYR SZ-SWZ TC-TCA TD-TCD TF-ATF TG-TGO TH-THA TJ-TJK TK-TKL TL-TLS TM-TKM TN-TUN TO-TON TR-TUR
TT-TTO TV-TUV TW-TWN TZ-TZA UA-UKR UG-UGA UM-UMI US-USA UY-URY UZ-UZB VA-VAT VC-VCT VE-VEN VG-VGB VI-VIR
VN-VNM VU-VUT WF-WLF WS-WSM YE-YEM YT-MYT ZA-ZAF ZM-ZMB ZW-ZWE
"""

# The countries that players come from, in English and Russian, and the codes that sports use in place of ISO's.
_NAMES = """
AD Andorra, Андорра
AE United Arab Emirates, ОАЭ, UAE
AL Albania, Албания
AM Armenia, Армения
AR Argentina, Аргентина
AT Austria, Австрия
AU Australia, Австралия
AZ Azerbaijan, Азербайджан
BA Bosnia and Herzegovina, Босния и Герцеговина, Bosnia, Босния
BE Belgium, Бельгия
BG Bulgaria, Болгария, BUL
BR Brazil, Бразилия
BY Belarus, Беларусь, Белоруссия
CA Canada, Канада
CH Switzerland, Швейцария, SUI
CL Chile, Чили
CN China, Китай, PRC, КНР
CO Colombia, Колумбия
CU Cuba, Куба
CY Cyprus, Кипр
CZ Czechia, Чехия, Czech Republic, Чешская Республика
DE Germany, Германия, GER
DK Denmark, Дания, DEN
DZ Algeria, Алжир
EC Ecuador, Эквадор
EE Estonia, Эстония
EG Egypt, Египет
ES Spain, Испания
FI Finland, Финляндия
FR France, Франция
GB United Kingdom, Великобритания, UK, Great Britain, Соединённое Королевство
GB England, Англия, Scotland, Шотландия, Wales, Уэльс
GE Georgia, Грузия
GR Greece, Греция, GRE
HK Hong Kong, Гонконг
HR Croatia, Хорватия, CRO
HU Hungary, Венгрия
ID Indonesia, Индонезия
IE Ireland, Ирландия
IL Israel, Израиль
IN India, Индия
IR Iran, Иран
IS Iceland, Исландия
IT Italy, Италия
JP Japan, Япония
KG Kyrgyzstan, Киргизия, Кыргызстан
KH Cambodia, Камбоджа
KP North Korea, Северная Корея, КНДР
KR South Korea, Южная Корея, Korea, Republic of Korea, Корея, Республика Корея
KZ Kazakhstan, Казахстан
LA Laos, Лаос
LI Liechtenstein, Лихтенштейн
LT Lithuania, Литва
LU Luxembourg, Люксембург
LV Latvia, Латвия, LAT
MA Morocco, Марокко
MC Monaco, Монако
MD Moldova, Молдова, Молдавия
ME Montenegro, Черногория
MK North Macedonia, Северная Македония, Macedonia, Македония
MM Myanmar, Мьянма
MN Mongolia, Монголия
MO Macao, Макао, Macau
MT Malta, Мальта
MX Mexico, Мексика
MY Malaysia, Малайзия
NL Netherlands, Нидерланды, Holland, The Netherlands, Голландия, NED
NO Norway, Норвегия
NP Nepal, Непал
NZ New Zealand, Новая Зеландия
PE Peru, Перу
PH Philippines, Филиппины
PK Pakistan, Пакистан
PL Poland, Польша
PT Portugal, Португалия, POR
PY Paraguay, Парагвай
RE Reunion, Реюньон, Réunion
RO Romania, Румыния
RS Serbia, Сербия
RU Russia, Россия, Russian Federation, РФ, Российская Федерация
SA Saudi Arabia, Саудовская Аравия
SE Sweden, Швеция
SG Singapore, Сингапур
SI Slovenia, Словения, SLO
SK Slovakia, Словакия
SM San Marino, Сан-Марино
TH Thailand, Таиланд
TJ Tajikistan, Таджикистан
TM Turkmenistan, Туркменистан, Туркмения
TN Tunisia, Тунис
TR Turkey, Турция, Türkiye
TW Taiwan, Тайвань
UA Ukraine, Украина
US United States, США, United States of America, Соединённые Штаты Америки, Соединённые Штаты
UY Uruguay, Уругвай
UZ Uzbekistan, Узбекистан
VE Venezuela, Венесуэла
VN Vietnam, Вьетнам, Viet Nam
ZA South Africa, ЮАР
"""


@cache
def _table() -> dict[str, str]:
    table: dict[str, str] = {}
    for codes in _CODES.split():
        table |= dict.fromkeys(codes.casefold().split("-"), codes[:2])
    for line in _NAMES.strip().splitlines():
        code, _, names = line.partition(" ")
        table |= dict.fromkeys(map(folded, names.split(", ")), code)
    return table


def alpha_2(name: str) -> str | None:
    """The ISO 3166-1 alpha-2 code of a country; None for one that is not known by this code or name."""
    return _table().get(folded(name))
